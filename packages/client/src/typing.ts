import type { ChatApi, Registration } from './api.js'
import { conversationOf, type Destination } from './destination.js'
import type { Environment } from './environment.js'
import type { ServerEvent } from '@parley/wire/events'
import { farewellMilliseconds } from './pace.js'

/** Tells the server that the user is typing, as often as it asks for it. */
export class Typing {
  readonly #api: Pick<ChatApi, 'setTypingStatus'>
  readonly #environment: Pick<Environment, 'now' | 'after'>
  /** Undefined until the server has sent its state. */
  #settings: { direct: boolean; channel: boolean } | undefined
  /** Another notification is due after this time. */
  #repeatMilliseconds = 30_000
  /** A user who has not typed for this time has stopped. */
  #pauseMilliseconds = 12_000
  #present: { readonly to: Destination; readonly since: number } | undefined
  #cancelStop = (): void => {}
  #last: Promise<void> = Promise.resolve()
  #ending = new AbortController()

  constructor(
    api: Pick<ChatApi, 'setTypingStatus'>,
    environment: Pick<Environment, 'now' | 'after'>,
  ) {
    this.#api = api
    this.#environment = environment
  }

  registered(registration: Registration): void {
    const {
      user_settings: settings,
      server_typing_started_wait_period_milliseconds: repeat,
      server_typing_stopped_wait_period_milliseconds: pause,
    } = registration
    this.#repeatMilliseconds = repeat ?? this.#repeatMilliseconds
    this.#pauseMilliseconds = pause ?? this.#pauseMilliseconds
    this.#settings = {
      direct: settings?.send_private_typing_notifications ?? true,
      channel: settings?.send_stream_typing_notifications ?? true,
    }
  }

  received(events: readonly ServerEvent[]): void {
    const settings = this.#settings
    if (settings === undefined) return
    for (const event of events) {
      if (event.type !== 'user_settings') continue
      const isOn = event.value === true
      if (event.property === 'send_private_typing_notifications') settings.direct = isOn
      if (event.property === 'send_stream_typing_notifications') settings.channel = isOn
    }
  }

  /** The user has typed something. */
  typed(to: Destination): void {
    const present = this.#present
    if (present !== undefined && conversationOf(present.to) !== conversationOf(to)) this.stop()
    if (this.#settings?.['channel' in to ? 'channel' : 'direct'] !== true) return
    const now = this.#environment.now()
    const since = this.#present?.since
    if (since === undefined || now - since >= this.#repeatMilliseconds) {
      this.#present = { to, since: now }
      this.#notify('start', to)
    }
    this.#cancelStop()
    this.#cancelStop = this.#environment.after(this.#pauseMilliseconds, () => this.stop())
  }

  /** The user has stopped, or sent the message. */
  stop(): void {
    this.#cancelStop()
    if (this.#present === undefined) return
    const { to } = this.#present
    this.#present = undefined
    this.#notify('stop', to)
  }

  /** Resolves when the server knows that the user has stopped, or after five seconds. */
  async close(): Promise<void> {
    this.stop()
    const ending = this.#ending
    this.#ending = new AbortController()
    const cancel = this.#environment.after(farewellMilliseconds, () => ending.abort())
    await this.#last
    cancel()
  }

  #notify(op: 'start' | 'stop', to: Destination): void {
    const place =
      'channel' in to
        ? { type: 'channel' as const, stream_id: to.channel, topic: to.topic }
        : { type: 'direct' as const, to: to.direct }
    // One after the other, so that the last one stays. If one fails, the next one is due soon.
    const { signal } = this.#ending
    this.#last = this.#last.then(() =>
      this.#api.setTypingStatus({ ...place, op }, { signal }).then(
        () => {},
        () => {},
      ),
    )
  }
}
