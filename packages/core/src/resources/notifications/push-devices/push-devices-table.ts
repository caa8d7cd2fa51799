import {
  bigInteger,
  id,
  integer,
  seconds,
  string,
  text,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** A device that gets encrypted push notifications. */
export const pushDevices = defineTable('push_devices', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    /** The client's id of its account, in decimal digits: 64 bits. */
    push_account_id: string(20),
    token_kind: string<'apns' | 'fcm'>(4).exported(),
    /** 32 bytes in base64, as the client sent them. */
    push_public_key: text(),
    /** The origin at which the device reached the server. */
    realm_url: string(500).exported(),
    /** The relay's id of the device; null until the relay has accepted the registration. */
    relay_device_id: bigInteger().orNull(),
    /** Why the relay has finally rejected the registration. */
    error_code: string(60).orNull(),
  },
  unique: [['user_id', 'push_account_id']],
  index: [
    ['organization_id', 'user_id'],
    { name: 'push_devices_relay', columns: ['organization_id', 'relay_device_id'] },
  ],
  archive: 'belongs to a device or a session, which registers again with the new server',
  exports: { device: 'user_id' },
})
export type PushDeviceRow = RowOf<typeof pushDevices>

/** A registration that the relay has not accepted yet. */
export const pushRegistrations = defineTable('push_registrations', {
  columns: {
    id: id(),
    device_id: id(),
    bouncer_public_key: text(),
    encrypted_push_registration: text(),
    asked_at_seconds: seconds(),
    attempts: integer().defaultsTo(0),
    /** Time of the next attempt; during an attempt, the end of its lease. */
    due_at_seconds: seconds(),
  },
  unique: [['device_id']],
  index: [{ name: 'push_registrations_due', columns: ['organization_id', 'due_at_seconds'] }],
  archive: 'belongs to a device or a session, which registers again with the new server',
})
export type PushRegistrationRow = RowOf<typeof pushRegistrations>

/** A device's token at a push service. */
export const pushTokens = defineTable('push_tokens', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    /** 1 APNs, 2 FCM. */
    kind: integer<1 | 2>().exported(),
    token: text(),
    /** SHA-256, hexadecimal; of the lower-case token for APNs, whose tokens are case-insensitive. */
    token_hash: string(64),
    /** The origin at which the device reached the server. */
    realm_url: string(500).exported(),
  },
  unique: [['user_id', 'kind', 'token_hash']],
  index: [['organization_id', 'user_id']],
  archive: 'belongs to a device or a session, which registers again with the new server',
  exports: { push_token: 'user_id' },
})
export type PushTokenRow = RowOf<typeof pushTokens>
