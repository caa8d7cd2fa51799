export { HttpPushRelay, type PushRelayAddress } from './http-push-relay.js'
export {
  mayPass,
  PushRelayError,
  PushRelayToken,
  type DeviceNotification,
  type DeviceNotificationOutcome,
  type DeviceRegistration,
  type PushRelay,
  type PushRelayProblem,
  type PushStatus,
  type PushToken,
  type PushUser,
  type TokenNotification,
  type TokenNotificationOutcome,
} from './push-relay.js'
export { PushRounds, type PushWork } from './push-rounds.js'
export { PushSetup } from './push-setup.js'
