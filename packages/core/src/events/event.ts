import type { TSchema } from 'typebox'

import type { EventQueue } from './event-queue.js'

/** The JSON of one event without its `id`, as a definition renders it. */
export type WireEvent = Readonly<{ type: string } & Record<string, unknown>>

/** Fields of an event that differ from recipient to recipient, such as message flags. */
export type RecipientFields = Readonly<Record<string, unknown>>

/**
 * Who receives an event, fixed in the transaction that caused it and never computed again.
 */
export interface Audience {
  /** An interned list of users, from {@link AudienceStore}. */
  readonly audienceId?: number | null
  /** Users who receive it besides. */
  readonly userIds?: readonly number[]
  /** Users of the interned list who do not. */
  readonly exceptUserIds?: readonly number[]
  /**
   * An interned list of users whose queues receive it besides if they asked for all public
   * channels: those who may read every public channel when the event is committed.
   */
  readonly followerAudienceId?: number | null
}

/** Fields that some recipients get besides the common ones; the first group that names a user wins. */
export interface RecipientGroup {
  readonly userIds: readonly number[]
  readonly fields: RecipientFields
}

/** An event that a transaction has announced and that leaves with its commit. */
export interface PendingEvent {
  readonly kind: string
  readonly data: unknown
  readonly audience: Audience
  readonly groups?: readonly RecipientGroup[]
  /** The message whose text `data` holds. */
  readonly messageId?: number
  /** What remains of `data` without the text of that message; undefined for nothing. */
  readonly withoutText?: () => unknown
}

/**
 * How pending events become one: an event joins the one before it about the same subject if both
 * are of this kind and may merge, so that nothing about a subject changes places. Only for kinds
 * that look the same to all clients of a recipient.
 */
export interface EventMerging<Data> {
  /** What the event is about, among all kinds that merge. */
  subject(data: Data): string
  mayMerge(data: Data): boolean
  /** The event that says the same as those of all `data`, oldest first. */
  merge(data: readonly Data[]): WireEvent
}

/** One kind of event: its wire shape, who wants it, and how it looks to different clients. */
export interface EventDefinition<Data = unknown> {
  /** `type`, and `op` after a slash where there is one; unique. */
  readonly kind: string
  readonly type: string
  readonly op?: string
  /** What happened and who hears it, for the documentation. */
  readonly summary: string
  /** The wire shape without `id`, `type` and `op`. */
  readonly payload: TSchema
  /** Whether `queue`, whose owner is a recipient, wants this one. Defaults to yes. */
  accepts?(data: Data, queue: EventQueue, fields: RecipientFields): boolean
  /** Queues with the same text see the same bytes. Defaults to one variant for all. */
  variant?(queue: EventQueue, data: Data): string
  /** The events that clients of the queue's kind see. Defaults to one event of `data`. */
  render?(data: Data, queue: EventQueue): readonly WireEvent[]
  /**
   * What clients of the queue's kind see of a recipient's fields. The same for queues with the same
   * variant. Defaults to the fields as they are.
   */
  renderFields?(fields: RecipientFields, queue: EventQueue): RecipientFields
  /** Fields of recipients that no group names. */
  defaultFields?(data: Data): RecipientFields
  /** Fields that only one queue of a recipient gets. */
  queueFields?(data: Data, queue: EventQueue): RecipientFields | undefined
  /** The message whose text the event holds: it is taken back when the message is deleted. */
  messageId?(data: Data): number
  /**
   * What remains of the event without the text of its message, for others that it is about;
   * undefined for nothing. Defaults to nothing.
   */
  withoutText?(data: Data): unknown
  /** Whether a queue's pending events of this kind become one. Defaults to never. */
  readonly merging?: EventMerging<Data>
}

/** A kind whose pending events merge. */
export type MergingDefinition = EventDefinition & { readonly merging: EventMerging<unknown> }

/** Makes a {@link PendingEvent} of one kind. */
export interface EventFactory<Data> {
  (audience: Audience, data: Data, groups?: readonly RecipientGroup[]): PendingEvent
  readonly definition: EventDefinition<Data>
}

/** Declares one kind of event and gives its factory. */
export function defineEvent<Data>(
  definition: Omit<EventDefinition<Data>, 'kind'>,
): EventFactory<Data> {
  const kind = definition.op === undefined ? definition.type : `${definition.type}/${definition.op}`
  const make = (
    audience: Audience,
    data: Data,
    groups?: readonly RecipientGroup[],
  ): PendingEvent => ({
    kind,
    data,
    audience,
    ...(groups === undefined ? {} : { groups }),
    ...(definition.messageId === undefined
      ? {}
      : {
          messageId: definition.messageId(data),
          withoutText: () => definition.withoutText?.(data),
        }),
  })
  return Object.assign(make, { definition: { ...definition, kind } })
}

/** The events that `definition` shows to clients like `queue`. */
export function renderEvent<Data>(
  definition: EventDefinition<Data>,
  data: Data,
  queue: EventQueue,
): readonly WireEvent[] {
  if (definition.render !== undefined) return definition.render(data, queue)
  return [
    {
      type: definition.type,
      ...(definition.op === undefined ? {} : { op: definition.op }),
      ...(data as object),
    },
  ]
}
