export { pushDeviceChanged } from './push-device-events.js'
export { PushAccountId, pushDeviceOperations } from './push-device-operations.js'
export { PushDeviceOwners } from './push-device-owners.js'
export {
  isActive,
  PushDeviceRepository,
  type ActivePushDevice,
  type PushDeviceRow,
} from './push-device-repository.js'
export { PushDeviceService } from './push-device-service.js'
export { PushDeviceSection, pushDeviceKeys } from './push-device-snapshot.js'
export { PushRegistrations } from './push-registrations.js'
export { PushTokenRepository, type PushTokenRow } from './push-token-repository.js'
export { PushTokenService } from './push-token-service.js'
