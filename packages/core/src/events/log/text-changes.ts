import type { PendingEvent } from '../event.js'
import { defineRecord } from '../record-kind.js'

/** An entry whose text was removed: it yields no event. */
export const textRemoved = defineRecord<object>('@erased')

/** Notifies the processes that texts of messages were removed for all users. */
export const textsErased = defineRecord<{
  /** The entries that were changed. */
  readonly seqs: readonly number[]
  readonly messageIds: readonly number[]
  /** The channels between which the entries had moved the messages. */
  readonly channelIds?: readonly number[]
}>('@texts-erased')

/** Notifies the processes that texts of messages were withdrawn from its recipients. */
export const textsWithdrawn = defineRecord<{
  /** The entries that were changed. */
  readonly seqs: readonly number[]
  /** Whether queues that requested all public channels no longer get them. */
  readonly endsFollowing: boolean
}>('@texts-withdrawn')

/**
 * The events of one commit, without the texts of messages that a later event of it removes: the
 * entries are not in the log yet, so they were not found there.
 */
export function withoutErasedTexts(events: readonly PendingEvent[]): readonly PendingEvent[] {
  if (!events.some((event) => textsErased.describes(event))) return events
  const erased = new Set<number>()
  const kept: PendingEvent[] = []
  for (const event of [...events].reverse()) {
    if (textsErased.describes(event)) for (const id of event.data.messageIds) erased.add(id)
    const isErased = event.messageId !== undefined && erased.has(event.messageId)
    if (!isErased) kept.push(event)
    else {
      const rest = event.withoutText?.()
      kept.push(rest === undefined ? textRemoved({}) : { ...event, data: rest })
    }
  }
  return kept.reverse()
}
