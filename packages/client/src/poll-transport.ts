import type { ChatApi } from './api.js'
import { untilAborted } from './abort.js'
import type { Environment } from './environment.js'
import type { Transport, TransportEnd, TransportEvents } from './transport.js'

/** A server's heartbeats come after 55 seconds at most. */
const maxSilenceMilliseconds = 65_000
/** A cache, for example, that answers at once and without news must not be asked without end. */
const emptyDelayMilliseconds = 1000

/** Receives the events of a queue by requests that the server answers when there are events. */
export class PollTransport implements Transport {
  readonly #api: Pick<ChatApi, 'getEvents'>
  readonly #environment: Pick<Environment, 'after'>

  constructor(api: Pick<ChatApi, 'getEvents'>, environment: Pick<Environment, 'after'>) {
    this.#api = api
    this.#environment = environment
  }

  async run(
    queueId: string,
    lastEventId: number,
    { received }: TransportEvents,
    signal: AbortSignal,
  ): Promise<TransportEnd> {
    let last = lastEventId
    // The first answer comes at once, and shows that the connection works.
    let isFirst = true
    while (!signal.aborted) {
      const { events } = await this.#api.getEvents(
        { queue_id: queueId, last_event_id: last, ...(isFirst && { dont_block: true }) },
        { signal, timeoutMilliseconds: maxSilenceMilliseconds },
      )
      received(events)
      const newest = events.at(-1)?.id ?? last
      if (!isFirst && newest <= last && !signal.aborted) await this.#delay(signal)
      last = Math.max(last, newest)
      isFirst = false
    }
    return { kind: 'stopped' }
  }

  async #delay(signal: AbortSignal): Promise<void> {
    let cancel = (): void => {}
    const over = new Promise<void>((resolve) => {
      cancel = this.#environment.after(emptyDelayMilliseconds, resolve)
    })
    await untilAborted(over, signal).finally(cancel)
  }
}
