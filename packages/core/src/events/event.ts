import type { Static, TObject, TSchema } from 'typebox'

import type { DeepReadonly } from '../kernel/deep-readonly.js'
import type { EventQueue, EventQueueOptions } from './queues/event-queue.js'
import { recordKind, type RecordKind } from './record-kind.js'

/** The JSON of one event without its `id`, as a definition renders it. */
export type WireEvent = Readonly<{ type: string } & Record<string, unknown>>

/** Fields of an event that differ from recipient to recipient, such as message flags. */
export type RecipientFields = Readonly<Record<string, unknown>>

/** The recipients of an event, fixed in the transaction that caused it and never computed again. */
export interface Audience {
  /** An interned list of users, from {@link AudienceStore}. */
  readonly audienceId?: number | null
  /** Additional recipients. */
  readonly userIds?: readonly number[]
  /** Users of the interned list who are excluded. */
  readonly exceptUserIds?: readonly number[]
  /**
   * An interned list of users whose queues also receive the event if they requested all public
   * channels: those who may read every public channel when the event is committed.
   */
  readonly followerAudienceId?: number | null
}

/** Additional fields for some recipients; the first group that contains a user applies. */
export interface RecipientGroup {
  readonly userIds: readonly number[]
  readonly fields: RecipientFields
}

/** An event that a transaction has emitted, and that is sent after its commit. */
export interface PendingEvent {
  readonly kind: string
  readonly data: unknown
  readonly audience: Audience
  readonly groups?: readonly RecipientGroup[]
  /** The message whose text is in `data`. */
  readonly messageId?: number
  /** The remainder of `data` without the text of that message; undefined if nothing remains. */
  readonly withoutText?: () => unknown
}

/**
 * How pending events are merged: an event is merged with the preceding one about the same subject
 * if both are of this kind and mergeable, so that the order of events about a subject is kept. Only
 * for kinds that look the same to all clients of a recipient.
 */
export interface EventMerging<Data> {
  /** The subject of the event, unique among all kinds that merge. */
  subject(data: Data): string
  mayMerge(data: Data): boolean
  /** The event that is equivalent to those of all `data`, oldest first. */
  merge(data: readonly Data[]): WireEvent
}

/**
 * One kind of event: its wire shape, the queues that accept it, and its form for different clients.
 */
export interface EventDefinition<Data = unknown> {
  /** `type`, and `op` after a slash where there is one; unique. */
  readonly kind: string
  readonly type: string
  readonly op?: string
  /** Describes the event and its recipients, for the documentation. */
  readonly summary: string
  /** The wire shape without `id`, `type` and `op`. */
  readonly payload: TObject
  /**
   * Whether a queue with these options, whose owner is a recipient, gets this event. Defaults to
   * yes.
   */
  accepts?(data: Data, queue: EventQueueOptions, fields: RecipientFields): boolean
  /**
   * Whether the event is withheld from a queue that accepts it, because its options match a part
   * that is hidden from its owner. Defaults to no.
   */
  isWithheld?(data: Data, queue: EventQueue): boolean
  /**
   * Key of the rendering: queues with the same key get the same bytes. Defaults to one variant for
   * all.
   */
  variant?(queue: EventQueue, data: Data): string
  /** The events for clients like the queue's. Defaults to one event of `data`. */
  render?(data: Data, queue: EventQueue): readonly WireEvent[]
  /**
   * A recipient's fields in the form for clients like the queue's; the same for queues with the
   * same variant. Defaults to the fields unchanged.
   */
  renderFields?(fields: RecipientFields, queue: EventQueue): RecipientFields
  /** Fields of recipients that are in no group. */
  defaultFields?(data: Data): RecipientFields
  /** Fields that only one queue of a recipient gets. */
  queueFields?(data: Data, queue: EventQueue): RecipientFields | undefined
  /** The message whose text the event contains; the text is removed when the message is deleted. */
  messageId?(data: Data): number
  /**
   * The remainder of the event without the text of its message, for the other messages that it is
   * about; undefined if nothing remains. Defaults to nothing.
   */
  withoutText?(data: Data): unknown
  /** The channels between which the event says that messages were moved. */
  movedBetween?(data: Data): readonly number[]
  /**
   * Whether only clients of older versions get it, beside an event of another kind; the application
   * does not.
   */
  readonly isLegacy?: true
  /** Whether its data contain credentials, such as API keys: the log stores them encrypted. */
  readonly hasCredentials?: true
  /**
   * The schema of the data of events that are sent past the log, through the bus. Events of kinds
   * without it are always in the log.
   */
  readonly ephemeral?: TSchema
  /**
   * Whether it changes nothing that decides who may send messages, who gets them, and how they are
   * rendered.
   */
  readonly decidesNothing?: true
  /** Whether it is never in the log. */
  readonly isTransient?: true
  /** Whether the fields of the recipient groups are the event; the application gets one for each. */
  readonly isPerRecipient?: true
  /** Merges a queue's pending events of this kind. Defaults to no merging. */
  readonly merging?: EventMerging<Data>
}

/** A kind whose pending events merge. */
export type MergingDefinition = EventDefinition & { readonly merging: EventMerging<unknown> }

export function merges(definition: EventDefinition): definition is MergingDefinition {
  return definition.merging !== undefined
}

/** Creates a {@link PendingEvent} of one kind. */
export interface EventFactory<Data> extends RecordKind<Data> {
  (audience: Audience, data: Data, groups?: readonly RecipientGroup[]): PendingEvent
  readonly definition: EventDefinition<Data>
}

/**
 * Declares one kind of event and returns its factory. Without `render`, the data are the payload,
 * and their type is inferred from its schema.
 */
export function defineEvent<const Payload extends TObject>(
  definition: Omit<
    EventDefinition<DeepReadonly<Static<Payload>>>,
    'kind' | 'payload' | 'render'
  > & {
    readonly payload: Payload
  },
): EventFactory<DeepReadonly<Static<Payload>>>
export function defineEvent<Data>(
  definition: Omit<EventDefinition<Data>, 'kind'>,
): EventFactory<Data>
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
  return Object.assign(make, recordKind<Data>(kind), { definition: { ...definition, kind } })
}

/** The events of `definition` for clients like `queue`. */
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
      ...(data as object), // Without `render`, the data are the payload.
    },
  ]
}
