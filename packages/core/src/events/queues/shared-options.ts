import { LRUCache } from 'lru-cache'

import type { EventQueueOptions } from './event-queue.js'

const maxShared = 1000

/** Deduplicates the options of queues, which are alike for most clients. */
export class SharedOptions {
  readonly #values = new LRUCache<string, NonNullable<unknown>>({ max: maxShared })

  /** Returns equal options, made of parts that are shared with other queues. */
  share(options: EventQueueOptions): EventQueueOptions {
    const { eventTypes, narrow, capabilities, clientName } = options
    return {
      ...options,
      eventTypes: eventTypes === null ? null : this.#shared(eventTypes),
      narrow: this.#shared(narrow),
      capabilities: this.#shared(capabilities),
      clientName: this.#shared(clientName),
    }
  }

  #shared<Value extends NonNullable<unknown>>(value: Value): Value {
    const key = JSON.stringify(value)
    const known = this.#values.get(key)
    // Its JSON is the same, so it is an equal value.
    if (known !== undefined) return known as Value
    this.#values.set(key, value)
    return value
  }
}
