import { defineResource } from '../../../resource-definition/resource.js'
import { pushDeviceChanged } from './push-device-events.js'
import {
  addApnsToken,
  addFcmToken,
  registerPushDevice,
  removeApnsToken,
  removeFcmToken,
} from './push-device-operations.js'
import { pushDeviceSnapshot } from './push-device-snapshot.js'
import { PushRegistrations } from './push-registrations.js'

export { PushAccountId } from './push-device-operations.js'
export { PushDeviceOwners } from './push-device-owners.js'
export { isActive, PushDeviceRepository, type ActivePushDevice } from './push-device-repository.js'
export type { PushDeviceRow } from './push-devices-table.js'
export { PushTokenRepository } from './push-token-repository.js'
export type { PushTokenRow } from './push-tokens-table.js'
export { PushTokenService } from './push-token-service.js'

export const pushDevices = defineResource({
  operations: [addApnsToken, removeApnsToken, addFcmToken, removeFcmToken, registerPushDevice],
  events: [pushDeviceChanged],
  snapshot: pushDeviceSnapshot,
  backgroundWork: [PushRegistrations],
})
