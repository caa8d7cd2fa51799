import type { ChatApi } from './api.generated.js'
import type { Transport, TransportEnd, TransportEvents } from './transport.js'

/** Receives the events of a queue by requests that the server answers when there are events. */
export class PollTransport implements Transport {
  readonly #api: ChatApi

  constructor(api: ChatApi) {
    this.#api = api
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
      const answer = await this.#api.getEvents(
        { queue_id: queueId, last_event_id: last, ...(isFirst && { dont_block: true }) },
        { signal },
      )
      isFirst = false
      received(answer.events)
      last = answer.events.at(-1)?.id ?? last
    }
    return { kind: 'stopped' }
  }
}
