import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import sodium from 'libsodium-wrappers'

import type { UncheckedJson } from './unchecked-json.js'
import { within, type WaitOptions } from './waiting.js'

const prefix = '/api/v1/remotes/'
const daySeconds = 86_400

type Fields = Record<string, UncheckedJson>

/** A request that the relay has answered. */
export interface RelayedRequest {
  /** Below the API's prefix, such as `push/e2ee/register`. */
  readonly path: string
  /** Form fields as texts, or parsed JSON in which long numbers are texts. */
  readonly body: UncheckedJson
  readonly headers: IncomingMessage['headers']
}

/** The response of the relay in place of the usual one. */
export interface RelayFault {
  readonly status: number
  readonly code?: string
  readonly msg?: string
  /** The whole body, in place of an error. */
  readonly body?: string
}

/** A device's key pair, with libsodium instead of the product's own implementation. */
export class DeviceKeys {
  readonly #pair = sodium.crypto_box_keypair()

  /** Base64 of the public key. */
  get publicKey(): string {
    return sodium.to_base64(this.#pair.publicKey, sodium.base64_variants.ORIGINAL)
  }

  /** Opens a sealed box. @throws if it is for another key or was changed. */
  open(encrypted: string): UncheckedJson {
    const sealed = sodium.from_base64(encrypted, sodium.base64_variants.ORIGINAL)
    const { publicKey, privateKey } = this.#pair
    return parsed(sodium.to_string(sodium.crypto_box_seal_open(sealed, publicKey, privateKey)))
  }

  /** Base64 of a sealed box for this key. */
  seal(value: unknown): string {
    const sealed = sodium.crypto_box_seal(JSON.stringify(value), this.#pair.publicKey)
    return sodium.to_base64(sealed, sodium.base64_variants.ORIGINAL)
  }
}

/** Initializes `libsodium-wrappers`. */
export async function loadSodium(): Promise<void> {
  await sodium.ready
}

/**
 * A relay that a test can inspect: a real HTTP server with the contract of the push services'
 * relay, which fails on request.
 */
export class FakeRelay {
  readonly serverId = '0c7f3b3e-6f43-4b41-9f3a-5b2b6f0a9d11'
  readonly serverKey = 'a key of the server'
  readonly keys = new DeviceKeys()
  /** All answered requests, oldest first. */
  readonly requests: RelayedRequest[] = []
  /** Tokens and device ids that the push services no longer accept. */
  readonly gone = new Set<string | number>()
  /** Devices for which every request fails. */
  readonly failing = new Set<number>()
  /** What successful notifications return about the organization. */
  status: object | null = null
  /** UNIX seconds; determines what is expired. */
  now: () => number = () => 0
  readonly #server: Server
  readonly #faults: RelayFault[] = []
  readonly #tokens = new Set<string>()
  readonly #devices = new Map<string, number>()
  #waiting: { path: string; resolve: (request: RelayedRequest) => void }[] = []
  #isDown = false
  #isHanging = false
  #heldBack: (() => void)[] = []

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async start(): Promise<FakeRelay> {
    await loadSodium()
    const relay = new FakeRelay()
    relay.#server.listen(0, '127.0.0.1')
    await once(relay.#server, 'listening')
    return relay
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The server's option. */
  get address(): { url: string; serverId: string; serverKey: string } {
    const { port } = this.#server.address() as AddressInfo
    const { serverId, serverKey } = this
    return { url: `http://127.0.0.1:${port}`, serverId, serverKey }
  }

  /** Fails the next request, and answers the following ones as usual. */
  failOnce(fault: RelayFault): void {
    this.#faults.push(fault)
  }

  /** Breaks every connection until `up()`. */
  down(): void {
    this.#isDown = true
  }

  /** Answers nothing until `up()`. */
  hang(): void {
    this.#isHanging = true
  }

  /** Resolves when the next request is left unanswered. */
  async nextHeldBack(): Promise<void> {
    const coming = new Promise<void>((resolve) => this.#heldBack.push(resolve))
    return within('a request that the relay leaves unanswered', coming, this.#options)
  }

  up(): void {
    this.#isDown = false
    this.#isHanging = false
  }

  /** The next request to `path` that is answered from now on. */
  async next(path: string): Promise<RelayedRequest> {
    const coming = new Promise<RelayedRequest>((resolve) => this.#waiting.push({ path, resolve }))
    return within(`a request to ${path} of the relay`, coming, this.#options)
  }

  /** The requests to `path` so far. */
  of(path: string): readonly RelayedRequest[] {
    return this.requests.filter((request) => request.path === path)
  }

  get #options(): WaitOptions {
    return { instead: () => this.requests.map(({ path }) => path) }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (this.#isHanging) {
      for (const resolve of this.#heldBack.splice(0)) resolve()
      return
    }
    if (this.#isDown) {
      request.socket.destroy()
      return
    }
    const text = Buffer.concat(chunks).toString('utf8')
    const isForm = String(request.headers['content-type']).includes('form-urlencoded')
    const body: unknown = isForm ? Object.fromEntries(new URLSearchParams(text)) : parsed(text)
    const path = (request.url ?? '').slice(prefix.length)
    const { status, answer } = this.#outcome(request, path, body as Record<string, string>)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    const relayed = { path, body, headers: request.headers }
    this.requests.push(relayed)
    const received = this.#waiting.filter((waiting) => waiting.path === path)
    this.#waiting = this.#waiting.filter((waiting) => waiting.path !== path)
    for (const waiting of received) waiting.resolve(relayed)
  }

  #outcome(
    request: IncomingMessage,
    path: string,
    body: Fields,
  ): { status: number; answer: unknown } {
    const fault = this.#faults.shift()
    if (fault !== undefined) {
      const { status, code = 'BAD_REQUEST', msg = 'Fault', body: whole } = fault
      return { status, answer: whole ?? { result: 'error', code, msg } }
    }
    const login = `Basic ${Buffer.from(`${this.serverId}:${this.serverKey}`).toString('base64')}`
    if (request.headers.authorization !== login) {
      return refusal(401, 'INVALID_ZULIP_SERVER', 'Zulip server auth failure')
    }
    if (!(request.url ?? '').startsWith(prefix)) return refusal(404, 'BAD_REQUEST', 'Not Found')
    const key = `${body['user_uuid']}/${body['token_kind']}/${body['token']}`
    switch (path) {
      case 'push/register':
        this.#tokens.add(key)
        return success({})
      case 'push/unregister':
        return this.#tokens.delete(key)
          ? success({})
          : refusal(400, 'BAD_REQUEST', 'Token does not exist')
      case 'push/unregister/all':
        for (const known of this.#tokens) {
          if (known.startsWith(`${body['user_uuid']}/`)) this.#tokens.delete(known)
        }
        return success({})
      case 'push/test_notification':
        return this.#tokens.has(key)
          ? success({})
          : refusal(
              400,
              'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
              'Device not recognized by the push bouncer',
            )
      case 'push/notify':
        return this.#notifyTokens(body)
      case 'push/e2ee/register':
        return this.#register(body)
      case 'push/e2ee/notify':
        return this.#notifyDevices(body)
      default:
        return refusal(404, 'BAD_REQUEST', 'Not Found')
    }
  }

  #notifyTokens(body: Fields): { status: number; answer: unknown } {
    const deletedOf = (tokens: string[]) => tokens.filter((token) => this.gone.has(token))
    return success({
      total_android_devices: body['android_devices'].length,
      total_apple_devices: body['apple_devices'].length,
      deleted_devices: {
        android_devices: deletedOf(body['android_devices'] as string[]),
        apple_devices: deletedOf(body['apple_devices'] as string[]),
      },
      realm: this.status,
    })
  }

  #register(body: Fields): { status: number; answer: unknown } {
    if (body['bouncer_public_key'] !== this.keys.publicKey) {
      return refusal(400, 'INVALID_BOUNCER_PUBLIC_KEY', 'Invalid bouncer_public_key')
    }
    const invalid = refusal(400, 'BAD_REQUEST', 'Invalid encrypted_push_registration')
    let plain: Fields
    try {
      plain = this.keys.open(String(body['encrypted_push_registration']))
    } catch {
      // A box that cannot be opened is rejected, as is invalid content.
      return invalid
    }
    const { token, token_kind, ios_app_id = null, timestamp } = plain
    const isApple = token_kind === 'apns'
    if (!isApple && token_kind !== 'fcm') return invalid
    if (isApple ? !/^[.a-zA-Z0-9-]+$/.test(String(ios_app_id)) : ios_app_id !== null) return invalid
    if (isApple && !/^([0-9a-f]{2}){1,2048}$/i.test(String(token))) return invalid
    if (this.now() - Number(timestamp) > daySeconds) {
      return refusal(400, 'REQUEST_EXPIRED', 'Request expired')
    }
    const key = `${token}/${body['push_account_id']}`
    const deviceId = this.#devices.get(key) ?? this.#devices.size + 1001
    this.#devices.set(key, deviceId)
    return success({ device_id: deviceId })
  }

  #notifyDevices(body: Fields): { status: number; answer: unknown } {
    const ids = (body['push_requests'] as { device_id: number }[]).map(({ device_id }) => device_id)
    if (ids.some((id) => this.failing.has(id))) return refusal(500, 'BAD_REQUEST', 'Fault')
    return success({
      apple_successfully_sent_count: 0,
      android_successfully_sent_count: ids.length,
      delete_device_ids: ids.filter((id) => this.gone.has(id)),
      realm_push_status: this.status,
    })
  }
}

function success(fields: object): { status: number; answer: unknown } {
  return { status: 200, answer: { result: 'success', msg: '', ...fields } }
}

function refusal(status: number, code: string, msg: string): { status: number; answer: unknown } {
  return { status, answer: { result: 'error', code, msg } }
}

/**
 * Parses JSON, and converts integers of more than 15 digits to texts, so that no digits are lost.
 */
function parsed(text: string): unknown {
  return JSON.parse(text.replaceAll(/:(-?\d{16,})(?=[,}])/g, ':"$1"')) as unknown
}
