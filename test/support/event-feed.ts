import { randomUUID } from 'node:crypto'

import type { Client, Parameters } from './client.js'
import { checkEvent } from './event-check.js'
import type { UncheckedJson } from './unchecked-json.js'
import { until } from './waiting.js'

export type FedEvent = { id: number; type: string } & Record<string, UncheckedJson>

/** Parameters of `POST /register`; `event_types` are those that the feed returns. */
export type ListenOptions = Parameters & { readonly event_types?: readonly string[] }

/** The events of a registered queue, in order. */
export class EventFeed {
  #lastEventId: number

  private constructor(
    readonly client: Client,
    readonly queueId: string,
    /** The response of `POST /register`. */
    readonly snapshot: Record<string, UncheckedJson>,
    lastEventId: number,
    private readonly wanted: readonly string[] | undefined,
  ) {
    this.#lastEventId = lastEventId
  }

  static async register(client: Client, options: ListenOptions): Promise<EventFeed> {
    const { event_types, ...rest } = options
    const answer = await client.post('/register', {
      fetch_event_types: [],
      ...rest,
      // The marker of `drain` is a message.
      ...(event_types === undefined ? {} : { event_types: [...event_types, 'message'] }),
    })
    if (answer.status !== 200) throw new Error(`Registering failed: ${answer.text}`)
    const { queue_id, last_event_id } = answer.body as { queue_id: string; last_event_id: number }
    return new EventFeed(client, queue_id, answer.body, last_event_id, event_types)
  }

  get lastEventId(): number {
    return this.#lastEventId
  }

  /**
   * Returns and acknowledges all events so far. Sends a marker through the same queue and reads up
   * to it, so the absence of events is proven without a timeout.
   */
  async drain(): Promise<FedEvent[]> {
    const marker = `marker ${randomUUID()}`
    await this.client.whisper([this.client], marker)
    const events: FedEvent[] = []
    const isMarker = ({ type, message }: FedEvent): boolean =>
      type === 'message' && message.content.includes(marker)
    // All of the page: some events may have arrived after the marker.
    for (const event of await this.until('the marker', isMarker)) {
      if (isMarker(event)) continue
      if (this.wanted === undefined || this.wanted.includes(event.type)) events.push(event)
    }
    return events
  }

  /**
   * Polls until such an event arrives; the server works in the background meanwhile.
   *
   * @param what names the event, for the error if it does not arrive.
   * @returns all events so far, including others.
   */
  async until(what: string, isWanted: (event: FedEvent) => boolean): Promise<FedEvent[]> {
    const events: FedEvent[] = []
    await until(
      `${what} in a queue of ${this.client.name}`,
      async () => {
        const page = await this.poll()
        events.push(...page)
        return page.some(isWanted)
      },
      { instead: () => events },
    )
    return events
  }

  /** One poll; waits until there are events unless `params` contains `dont_block`. */
  async poll(params: Parameters = {}): Promise<FedEvent[]> {
    const answer = await this.client.get('/events', {
      queue_id: this.queueId,
      last_event_id: this.#lastEventId,
      ...params,
    })
    if (answer.status !== 200) throw new Error(`Polling failed: ${answer.text}`)
    const events = answer.body.events as FedEvent[]
    for (const event of events) {
      if (event.id <= this.#lastEventId) throw new Error(`Event ${event.id} arrived out of order`)
      this.#lastEventId = event.id
      checkEvent(event)
    }
    return events
  }
}

/** Events without their ids, which are irrelevant for their content. */
export function withoutIds(events: readonly FedEvent[]): Record<string, unknown>[] {
  return events.map(({ id: _, ...event }) => event)
}
