import type { RecipientFields } from '../event.js'
import type { EventQueueOptions } from './event-queue.js'

/** Queues of most organizations have fewer different options. */
const maxKept = 8

export interface Acceptance {
  readonly options: EventQueueOptions
  readonly fields: RecipientFields
  readonly isAccepted: boolean
}

/** Whether queues with certain options accept one entry, if their owners receive it. */
export class Acceptances {
  readonly #kept: Acceptance[] = []

  /** Parts of equal options must be the same objects, as `SharedOptions` makes them. */
  find(options: EventQueueOptions, fields: RecipientFields): boolean | undefined {
    for (const kept of this.#kept) {
      if (kept.fields === fields && areSame(kept.options, options)) return kept.isAccepted
    }
    return undefined
  }

  keep(acceptance: Acceptance): void {
    if (this.#kept.length < maxKept) this.#kept.push(acceptance)
  }
}

/** A different object may be equal all the same; then the entry is only looked at again. */
function areSame(a: EventQueueOptions, b: EventQueueOptions): boolean {
  return (
    a.narrow === b.narrow &&
    a.eventTypes === b.eventTypes &&
    a.capabilities === b.capabilities &&
    a.clientName === b.clientName &&
    a.applyMarkdown === b.applyMarkdown &&
    a.clientGravatar === b.clientGravatar &&
    a.slimPresence === b.slimPresence &&
    a.includeSubscribers === b.includeSubscribers &&
    a.allPublicStreams === b.allPublicStreams
  )
}
