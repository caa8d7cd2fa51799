import type { ChatApi, Registration } from './api.js'
import type { ConnectionEvents, ConnectionState } from './connection-events.js'
import type { Environment } from './environment.js'
import type { ServerEvent } from '@parley/wire/events'
import { OutboxSender } from './outbox.js'
import type { OutboxStorage } from './pending-message.js'
import { Presence } from './presence.js'
import { Typing } from './typing.js'
import { Uploads } from './uploads.js'

export interface SendingOptions {
  readonly api: ChatApi
  readonly environment: Environment
  readonly storage: OutboxStorage | undefined
  /** Called with an error of a function of the application. */
  readonly failed: (error: unknown) => void
}

/** The parts of a client that send by themselves. They follow the connection of the store. */
export class Sending implements Pick<ConnectionEvents, 'registered' | 'changed'> {
  readonly outbox: OutboxSender
  readonly typing: Typing
  readonly presence: Presence
  readonly uploads: Uploads

  constructor({ api, environment, storage, failed }: SendingOptions) {
    this.typing = new Typing(api, environment)
    this.uploads = new Uploads(api)
    this.presence = new Presence(api, environment)
    const begun = (): void => this.typing.stop()
    this.outbox = new OutboxSender({ api, environment, storage, failed, begun })
  }

  registered(registration: Registration): void {
    this.uploads.registered(registration)
    this.typing.registered(registration)
    this.presence.registered(registration)
    this.outbox.registered(registration)
  }

  /**
   * Takes events. `apply`, which changes the store, is called before listeners are, so that a
   * message is never in the store and in the outbox.
   */
  received(events: readonly ServerEvent[], apply: () => void): void {
    this.typing.received(events)
    this.outbox.batch(() => {
      this.outbox.received(events)
      apply()
    })
  }

  changed(state: ConnectionState): void {
    this.presence.changed(state)
    this.outbox.changed(state)
  }

  async close(): Promise<void> {
    this.uploads.close()
    this.presence.close()
    this.outbox.close()
    await this.typing.close()
  }
}
