import type { Client } from './client.js'
import type { FakeRelay } from './fake-relay.js'
import type { HostCase } from './host.js'
import { PushDevice } from './push-device.js'
import type { UncheckedJson } from './unchecked-json.js'

export const e2eePath = 'push/e2ee/notify'
export const legacyPath = 'push/notify'
/** Interval at which the server looks for unannounced notifications. */
export const roundSeconds = 12
/** Delay after which reading removes notifications from devices. */
export const readDelaySeconds = 1

/** Sends all notifications that are due. */
export async function settle({ clock }: Pick<HostCase, 'clock'>): Promise<void> {
  const isOver = clock.next('set', roundSeconds)
  clock.fire(roundSeconds)
  await isOver
}

/** Also sends removals of notifications that were read elsewhere. */
export async function settleReading(at: Pick<HostCase, 'clock'>): Promise<void> {
  await settle(at)
  at.clock.fire(readDelaySeconds)
  await settle(at)
}

/** A user with an encrypted device, and the notifications that it receives. */
export class PushReader {
  #seen: number

  constructor(
    private readonly at: HostCase,
    private readonly relay: FakeRelay,
    private readonly device: PushDevice,
  ) {
    this.#seen = relay.requests.length
  }

  /** The content that the device decrypts from a request. */
  open(request: UncheckedJson): Record<string, unknown> {
    return this.device.keys.open(request.payload.encrypted_data as string) as Record<
      string,
      unknown
    >
  }

  /** Skips everything sent up to now. */
  async skip(): Promise<void> {
    await settle(this.at)
    this.#seen = this.relay.requests.length
  }

  /** The requests for this device since the last call, in order. */
  async requests(): Promise<UncheckedJson[]> {
    await settle(this.at)
    const unread = this.relay.requests.slice(this.#seen)
    this.#seen = this.relay.requests.length
    return unread
      .filter(({ path }) => path === e2eePath)
      .flatMap(({ body }) => body.push_requests as { payload: Record<string, string> }[])
      .filter(({ payload }) => String(payload['push_account_id']) === this.device.accountId)
  }

  /** Their decrypted content. */
  async notices(): Promise<Record<string, unknown>[]> {
    return (await this.requests()).map((request) => this.open(request))
  }

  /** The texts of their messages. */
  async contents(): Promise<unknown[]> {
    return (await this.notices()).map(({ content }) => content)
  }

  /** Their kinds, with the ids of their messages. */
  async outline(): Promise<unknown[]> {
    return (await this.notices()).map(({ type, message_id, message_ids }) => [
      type,
      message_id ?? message_ids,
    ])
  }
}

/** The readers of a test file. */
export class PushReaders {
  readonly #known = new Map<Client, PushReader>()

  constructor(private readonly relay: FakeRelay) {}

  /** The user's reader, which skips everything so far; registers a device for a new one. */
  async of(at: HostCase, client: Client, kind: 'apns' | 'fcm' = 'fcm'): Promise<PushReader> {
    this.relay.now = () => at.clock.seconds
    let reader = this.#known.get(client)
    if (reader === undefined) {
      reader = await this.another(at, client, String(client.id), kind)
      this.#known.set(client, reader)
    }
    await reader.skip()
    return reader
  }

  /** A reader of one more device of the user. */
  async another(
    at: HostCase,
    client: Client,
    accountId: string,
    kind: 'apns' | 'fcm' = 'fcm',
  ): Promise<PushReader> {
    this.relay.now = () => at.clock.seconds
    const device = new PushDevice(this.relay, accountId, kind)
    await device.register(client)
    return new PushReader(at, this.relay, device)
  }
}
