import type { PendingEvent } from '../event.js'

/** The kind of an entry whose text was removed: it yields no event. */
export const erasedKind = '@erased'

/** Notifies the processes that texts of messages were removed for all users. */
const textsErasedKind = '@texts-erased'

/** Notifies the processes that texts of messages were withdrawn from its recipients. */
const textsWithdrawnKind = '@texts-withdrawn'

interface ErasedTexts {
  /** The entries that were changed. */
  readonly seqs: readonly number[]
  readonly messageIds: readonly number[]
}

interface WithdrawnTexts {
  /** The entries that were changed. */
  readonly seqs: readonly number[]
  /** Whether queues that requested all public channels no longer get them. */
  readonly endsFollowing: boolean
}

export function textsErased(seqs: readonly number[], messageIds: readonly number[]): PendingEvent {
  const data: ErasedTexts = { seqs, messageIds }
  return { kind: textsErasedKind, data, audience: {} }
}

export function textsWithdrawn(
  seqs: readonly number[],
  userIds: readonly number[],
  endsFollowing: boolean,
): PendingEvent {
  const data: WithdrawnTexts = { seqs, endsFollowing }
  return { kind: textsWithdrawnKind, data, audience: { userIds } }
}

/** An event, pending or in the log. */
interface AnyEvent {
  readonly kind: string
  readonly data: unknown
}

export function erasesTexts<Event extends AnyEvent>(
  event: Event,
): event is Event & { readonly data: ErasedTexts } {
  return event.kind === textsErasedKind
}

export function withdrawsTexts<Event extends AnyEvent>(
  event: Event,
): event is Event & { readonly data: WithdrawnTexts } {
  return event.kind === textsWithdrawnKind
}

/**
 * The events of one commit, without the texts of messages that a later event of it removes: the
 * entries are not in the log yet, so they were not found there.
 */
export function withoutErasedTexts(events: readonly PendingEvent[]): readonly PendingEvent[] {
  if (!events.some(erasesTexts)) return events
  const erased = new Set<number>()
  const kept: PendingEvent[] = []
  for (const event of [...events].reverse()) {
    if (erasesTexts(event)) for (const id of event.data.messageIds) erased.add(id)
    const isErased = event.messageId !== undefined && erased.has(event.messageId)
    if (!isErased) kept.push(event)
    else {
      const rest = event.withoutText?.()
      kept.push(
        rest === undefined
          ? { kind: erasedKind, data: {}, audience: {} }
          : { ...event, data: rest },
      )
    }
  }
  return kept.reverse()
}
