import { randomBytes } from 'node:crypto'

import type { Client } from './client.js'
import type { EventFeed, FedEvent } from './event-feed.js'
import { DeviceKeys, type FakeRelay } from './fake-relay.js'

/** A mobile application with one account. */
export class PushDevice {
  readonly keys = new DeviceKeys()

  constructor(
    private readonly relay: FakeRelay,
    readonly accountId: string,
    readonly kind: 'apns' | 'fcm' = 'fcm',
    /** Distinguishes devices at the relay. */
    private readonly token = randomBytes(16).toString('hex'),
  ) {}

  /** The parameters of `POST /mobile_push/register`. @param timestamp UNIX seconds. */
  registration(timestamp: number, more: object = {}): Record<string, unknown> {
    const { kind, token } = this
    const app = kind === 'apns' ? { ios_app_id: 'org.example.Chat' } : {}
    return {
      token_kind: kind,
      push_account_id: this.accountId,
      push_public_key: this.keys.publicKey,
      bouncer_public_key: this.relay.keys.publicKey,
      encrypted_push_registration: this.relay.keys.seal({
        token,
        token_kind: kind,
        timestamp,
        ...app,
      }),
      ...more,
    }
  }

  /** Registers the device, and resolves when the relay has accepted or rejected it. */
  async register(client: Client, more: object = {}): Promise<FedEvent> {
    const feed = await client.listen({ event_types: ['push_device'] })
    const answer = await client.post(
      '/mobile_push/register',
      this.registration(this.relay.now(), more),
    )
    if (answer.status !== 200) throw new Error(`Registering failed: ${answer.text}`)
    const event = await nextPushDevice(feed)
    // Users with a queue count as online.
    await client.delete('/events', { queue_id: feed.queueId })
    return event
  }
}

/** Waits for the next `push_device` event. */
export async function nextPushDevice(feed: EventFeed): Promise<FedEvent> {
  const isWanted = ({ type }: FedEvent): boolean => type === 'push_device'
  return (await feed.until('a push_device event', isWanted)).find(isWanted) as FedEvent
}
