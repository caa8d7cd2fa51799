import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { pushDeviceChanged } from './push-device-events.js'
import { PushDeviceService } from './push-device-service.js'
import { pushDevices as table } from './push-devices-table.js'
import { PushRegistrations } from './push-registrations.js'
import { PushTokenService } from './push-token-service.js'

export { PushDeviceOwners } from './push-device-owners.js'
export { isActive, PushDeviceRepository, type ActivePushDevice } from './push-device-repository.js'
export type { PushDeviceRow, PushTokenRow } from './push-devices-table.js'
export { PushTokenRepository } from './push-token-repository.js'
export { PushTokenService } from './push-token-service.js'

const relayErrors = [
  'ADMIN_ACTION_REQUIRED',
  'FAILED_TO_CONNECT_BOUNCER',
  'INTERNAL_SERVER_ERROR_ON_BOUNCER',
] as const

/** Keys are 32 bytes in base64; the limit leaves space for longer keys of future relays. */
const maxKeyLength = 255
/** A sealed box in base64 that fits a token of maximum length. */
const maxRegistrationLength = 16_384

/** A client's id of one of its accounts. It has 64 bits, more than a number represents exactly. */
/** A device token: hexadecimal in any case for iOS, any text for Android. */
const PushToken = Bounded.name({ maxLength: 10_000 })

export const PushAccountId = Type.Union(
  [
    Bounded.integer(),
    Type.String({
      format: 'int64',
      maxLength: table.columns.push_account_id.maxLength,
      description: 'Decimal digits.',
    }),
  ],
  { encoding: 'raw', description: 'A signed integer of 64 bits.' },
)

const addApnsToken = defineCommand({
  id: 'add-apns-token',
  summary: 'Register an iOS device for push notifications.',
  method: 'POST',
  path: '/users/me/apns_device_token',
  access: 'human',
  isPersonal: true,
  params: {
    token: PushToken,
    appid: Bounded.name({ description: 'The application’s bundle id.' }),
  },
  errors: ['BAD_REQUEST', 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', ...relayErrors],
  service: PushTokenService,
  handle: (tokens, { actor, params, request }) =>
    tokens.add(actor, { token: params.token, kind: 1 }, params.appid, request.chatUrl),
})

const removeApnsToken = defineCommand({
  id: 'remove-apns-token',
  summary: 'Unregister an iOS device from push notifications.',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  access: 'human',
  isPersonal: true,
  params: { token: PushToken },
  errors: ['BAD_REQUEST', 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', ...relayErrors],
  service: PushTokenService,
  handle: (tokens, { actor, params }) => tokens.remove(actor, { token: params.token, kind: 1 }),
})

const addFcmToken = defineCommand({
  id: 'add-fcm-token',
  summary: 'Register an Android device for push notifications.',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  access: 'human',
  isPersonal: true,
  params: { token: PushToken },
  errors: ['BAD_REQUEST', 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', ...relayErrors],
  service: PushTokenService,
  handle: (tokens, { actor, params, request }) =>
    tokens.add(actor, { token: params.token, kind: 2 }, null, request.chatUrl),
})

const removeFcmToken = defineCommand({
  id: 'remove-fcm-token',
  summary: 'Unregister an Android device from push notifications.',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  access: 'human',
  isPersonal: true,
  params: { token: PushToken },
  errors: ['BAD_REQUEST', 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', ...relayErrors],
  service: PushTokenService,
  handle: (tokens, { actor, params }) => tokens.remove(actor, { token: params.token, kind: 2 }),
})

const registerPushDevice = defineCommand({
  id: 'register-push-device',
  summary: 'Register a device for end-to-end encrypted push notifications.',
  method: 'POST',
  path: '/mobile_push/register',
  access: 'human',
  isPersonal: true,
  params: {
    token_kind: Type.Union([Type.Literal('apns'), Type.Literal('fcm')], { invalid: 'listed' }),
    push_account_id: PushAccountId,
    push_public_key: Type.String({
      maxLength: maxKeyLength,
      description: 'A Curve25519 key of 32 bytes, in base64.',
    }),
    bouncer_public_key: Type.String({
      maxLength: maxKeyLength,
      description: 'Id of the relay key that the registration is encrypted with, in base64.',
    }),
    encrypted_push_registration: Type.String({
      maxLength: maxRegistrationLength,
      description: 'A sealed box that only the relay can open, in base64.',
    }),
  },
  errors: ['BAD_REQUEST', 'PUSH_SERVICE_NOT_CONFIGURED'],
  service: PushDeviceService,
  handle: (devices, { actor, params, request }) =>
    devices.register(actor, {
      tokenKind: params.token_kind,
      pushAccountId: BigInt(params.push_account_id),
      pushPublicKey: params.push_public_key,
      bouncerPublicKey: params.bouncer_public_key,
      encryptedPushRegistration: params.encrypted_push_registration,
      realmUrl: request.chatUrl,
    }),
})

const pushDeviceSnapshot = defineSnapshot({
  keys: {
    push_devices: Type.Record(
      Type.String(),
      Type.Object({
        status: Type.Union([
          Type.Literal('active'),
          Type.Literal('pending'),
          Type.Literal('failed'),
        ]),
        error_code: Type.Union([Type.String(), Type.Null()]),
      }),
      { description: 'By `push_account_id`.' },
    ),
  },
  fetchType: 'push_device',
  service: PushDeviceService,
  async load(devices, context) {
    return { push_devices: await devices.states(context.scope, context.actor.userId) }
  },
})

export const pushDevices = defineResource({
  operations: [addApnsToken, removeApnsToken, addFcmToken, removeFcmToken, registerPushDevice],
  events: [pushDeviceChanged],
  snapshot: pushDeviceSnapshot,
  backgroundWork: [PushRegistrations],
})
