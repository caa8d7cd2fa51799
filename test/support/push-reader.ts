import type { Client } from './client.js'
import type { FakeRelay } from './fake-relay.js'
import type { HostCase } from './host.js'
import { PushDevice } from './push-device.js'
import type { Said } from './said.js'

export const e2eePath = 'push/e2ee/notify'
export const legacyPath = 'push/notify'
/** How often notifications that nobody has announced are looked for. */
export const roundSeconds = 12
/** How long after somebody reads their devices are told. */
export const readDelaySeconds = 1

/** Lets everything be sent that is to be sent by now. */
export async function settle({ clock }: Pick<HostCase, 'clock'>): Promise<void> {
  const isOver = clock.next('set', roundSeconds)
  clock.fire(roundSeconds)
  await isOver
}

/** Lets devices be told of what was read elsewhere, too. */
export async function settleReading(at: Pick<HostCase, 'clock'>): Promise<void> {
  await settle(at)
  at.clock.fire(readDelaySeconds)
  await settle(at)
}

/** A person with an encrypted device, and what arrives there. */
export class PushReader {
  #seen: number

  constructor(
    private readonly at: HostCase,
    private readonly relay: FakeRelay,
    private readonly device: PushDevice,
  ) {
    this.#seen = relay.requests.length
  }

  /** What the device reads in a request. */
  open(request: Said): Record<string, unknown> {
    return this.device.keys.open(request.payload.encrypted_data as string) as Record<
      string,
      unknown
    >
  }

  /** Leaves out what was sent up to now. */
  async skip(): Promise<void> {
    await settle(this.at)
    this.#seen = this.relay.requests.length
  }

  /** The requests about this device since the last look, in order. */
  async requests(): Promise<Said[]> {
    await settle(this.at)
    const fresh = this.relay.requests.slice(this.#seen)
    this.#seen = this.relay.requests.length
    return fresh
      .filter(({ path }) => path === e2eePath)
      .flatMap(({ body }) => body.push_requests as { payload: Record<string, string> }[])
      .filter(({ payload }) => String(payload['push_account_id']) === this.device.accountId)
  }

  /** What the device can read of them. */
  async notices(): Promise<Record<string, unknown>[]> {
    return (await this.requests()).map((request) => this.open(request))
  }

  /** The texts of the messages among them. */
  async contents(): Promise<unknown[]> {
    return (await this.notices()).map(({ content }) => content)
  }

  /** What they are, with the messages that they are about. */
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

  /** The person's reader, who has seen everything so far; registers a device for a new one. */
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

  /** A reader of one more device of the person. */
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
