import { abortedAfter } from '../../../kernel/aborted-work.js'
import type { Clock } from '../../../kernel/clock.js'
import { isRecord } from '../../../kernel/objects.js'
import { isSafeInteger } from '../../../kernel/safe-integer.js'
import { parseUntrustedJson } from '../../../kernel/untrusted-json.js'
import {
  type DeviceNotification,
  type DeviceNotificationOutcome,
  type DeviceRegistration,
  type PushRelay,
  PushRelayError,
  type PushStatus,
  type PushToken,
  type PushUser,
  type TokenNotification,
  type TokenNotificationOutcome,
} from './push-relay.js'

/** JSON in which a bigint is a number with all of its digits. */
function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${exactJson(item)}`).join(',')}}`
}

const timeoutMilliseconds = 15_000
/** The server version that is sent to relays. */
const userAgent = 'ZulipServer/11.0'

type Answer = Readonly<Record<string, unknown>>

/** The address of a relay. */
export interface PushRelayAddress {
  /** Without a trailing slash. */
  readonly url: string
  /** This server's UUID at the relay. */
  readonly serverId: string
  readonly serverKey: string
}

/** A relay with an HTTP API. */
export class HttpPushRelay implements PushRelay {
  constructor(
    private readonly address: PushRelayAddress,
    private readonly clock: Clock,
  ) {}

  async registerToken(
    user: PushUser,
    token: PushToken,
    iosAppId: string | null,
    signal: AbortSignal,
  ): Promise<void> {
    const app = iosAppId === null ? {} : { ios_app_id: iosAppId }
    await this.#post('push/register', this.#form({ ...this.#tokenOf(user, token), ...app }), signal)
  }

  async unregisterToken(user: PushUser, token: PushToken, signal: AbortSignal): Promise<void> {
    await this.#post('push/unregister', this.#form(this.#tokenOf(user, token)), signal)
  }

  async unregisterAllTokens(user: PushUser, signal: AbortSignal): Promise<void> {
    const whose = { server_uuid: this.address.serverId, ...namesOf(user) }
    await this.#post('push/unregister/all', this.#form(whose), signal)
  }

  async sendTest(
    user: PushUser,
    { token, kind }: PushToken,
    payload: object,
    signal: AbortSignal,
  ): Promise<void> {
    const body = { ...namesOf(user), token, token_kind: kind, base_payload: payload }
    await this.#post('push/test_notification', exactJson(body), signal)
  }

  async sendToTokens(
    notification: TokenNotification,
    signal: AbortSignal,
  ): Promise<TokenNotificationOutcome> {
    const body = {
      ...namesOf(notification.user),
      apns_payload: notification.applePayload,
      gcm_payload: notification.androidPayload,
      gcm_options: { priority: notification.priority },
      android_devices: notification.androidTokens,
      apple_devices: notification.appleTokens,
    }
    const answer = await this.#post('push/notify', exactJson(body), signal)
    const deleted = isRecord(answer['deleted_devices']) ? answer['deleted_devices'] : {}
    return {
      deletedAppleTokens: listOf(deleted['apple_devices'], isText),
      deletedAndroidTokens: listOf(deleted['android_devices'], isText),
      status: statusOf(answer['realm']),
    }
  }

  async registerDevice(registration: DeviceRegistration, signal: AbortSignal): Promise<number> {
    const body = this.#form({
      realm_uuid: registration.realmUuid,
      push_account_id: registration.pushAccountId,
      encrypted_push_registration: registration.encryptedPushRegistration,
      bouncer_public_key: registration.bouncerPublicKey,
    })
    const { device_id } = await this.#post('push/e2ee/register', body, signal)
    if (isSafeInteger(device_id)) return device_id
    throw new PushRelayError('unexpected', 'The push relay named no device id')
  }

  async sendToDevices(
    realmUuid: string,
    notifications: readonly DeviceNotification[],
    signal: AbortSignal,
  ): Promise<DeviceNotificationOutcome> {
    const body = { realm_uuid: realmUuid, push_requests: notifications.map(pushRequest) }
    const answer = await this.#post('push/e2ee/notify', exactJson(body), signal)
    return {
      deletedRelayDeviceIds: listOf(answer['delete_device_ids'], isNumber),
      status: statusOf(answer['realm_push_status']),
    }
  }

  #tokenOf(user: PushUser, { token, kind }: PushToken): Record<string, unknown> {
    return { server_uuid: this.address.serverId, ...namesOf(user), token, token_kind: kind }
  }

  #form(fields: Readonly<Record<string, unknown>>): URLSearchParams {
    return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  }

  async #post(
    path: string,
    body: string | URLSearchParams,
    stopping: AbortSignal,
  ): Promise<Answer> {
    const { url, serverId, serverKey } = this.address
    return abortedAfter(this.clock, timeoutMilliseconds, stopping, async (signal) => {
      try {
        const response = await fetch(`${url}/api/v1/remotes/${path}`, {
          method: 'POST',
          body,
          redirect: 'manual',
          signal,
          headers: {
            authorization: `Basic ${Buffer.from(`${serverId}:${serverKey}`).toString('base64')}`,
            'user-agent': userAgent,
            ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          },
        })
        return answerOf(response.status, await response.text())
      } catch (cause) {
        if (cause instanceof PushRelayError) throw cause
        throw new PushRelayError('unreachable', 'The push relay cannot be reached', 'BAD_REQUEST', {
          cause,
        })
      }
    })
  }
}

/** @throws {PushRelayError} unless the relay has completed the request. */
function answerOf(status: number, text: string): Answer {
  const answer = parsed(text)
  if (status >= 500) throw new PushRelayError('broken', `The push relay answered ${status}`)
  if (status >= 200 && status < 300 && answer !== undefined) return answer
  if (status < 400 || answer === undefined) {
    throw new PushRelayError('unexpected', `The push relay answered ${status}`)
  }
  const code = textOr(answer['code'], 'BAD_REQUEST')
  const message = textOr(answer['msg'], `The push relay answered ${status}`)
  if (code === 'INVALID_ZULIP_SERVER') throw new PushRelayError('credentials', message, code)
  if (code === 'PUSH_NOTIFICATIONS_DISALLOWED') {
    throw new PushRelayError('disallowed', message, code)
  }
  if (code === 'MISSING_REMOTE_REALM') throw new PushRelayError('unregistered', message, code)
  throw new PushRelayError('refused', message, code)
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}

function parsed(text: string): Answer | undefined {
  try {
    const value = parseUntrustedJson(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // The message of a response that is not JSON is derived from its status.
    return undefined
  }
}

function namesOf({ realmUuid, userUuid, userId }: PushUser): Record<string, unknown> {
  return { user_uuid: userUuid, user_id: userId, realm_uuid: realmUuid }
}

function pushRequest(notification: DeviceNotification): object {
  const { relayDeviceId, tokenKind, pushAccountId, encryptedData, isAlert } = notification
  const payload = { push_account_id: pushAccountId, encrypted_data: encryptedData }
  if (tokenKind === 'fcm') {
    return { device_id: relayDeviceId, fcm_priority: isAlert ? 'high' : 'normal', payload }
  }
  return {
    device_id: relayDeviceId,
    http_headers: {
      apns_priority: isAlert ? 10 : 5,
      apns_push_type: isAlert ? 'alert' : 'background',
    },
    payload: {
      ...payload,
      aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
    },
  }
}

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : []
}

function statusOf(value: unknown): PushStatus | undefined {
  if (!isRecord(value)) return undefined
  const { can_push, expected_end_timestamp } = value
  if (typeof can_push !== 'boolean') return undefined
  return {
    canPush: can_push,
    expectedEndSeconds: typeof expected_end_timestamp === 'number' ? expected_end_timestamp : null,
  }
}
