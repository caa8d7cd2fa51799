import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { PushDeviceService } from './push-device-service.js'
import { PushTokenService } from './push-token-service.js'
import { pushDevices } from './push-devices-table.js'

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
export const PushToken = Bounded.name({ maxLength: 10_000 })

export const PushAccountId = Type.Union(
  [
    Bounded.integer(),
    Type.String({
      format: 'int64',
      maxLength: pushDevices.columns.push_account_id.maxLength,
      description: 'Decimal digits.',
    }),
  ],
  { encoding: 'raw', description: 'A signed integer of 64 bits.' },
)

export const addApnsToken = defineCommand({
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

export const removeApnsToken = defineCommand({
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

export const addFcmToken = defineCommand({
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

export const removeFcmToken = defineCommand({
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

export const registerPushDevice = defineCommand({
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
