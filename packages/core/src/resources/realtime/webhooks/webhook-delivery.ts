import type { AnyChatEvent } from '../../../events/application/application-events.js'
import type {
  ChatEventFacts,
  ChatEvents,
  EventChannel,
  UnreadCountsEvent,
} from '../../../events/application/chat-events.js'
import type { EventContext } from '../consumers/index.js'

/** An event as clients get it, without what the application gets in addition. */
type PlainEvent<Event> = Event extends UnreadCountsEvent
  ? Pick<UnreadCountsEvent, 'type'> & { readonly channels: readonly WebhookChannel[] }
  : Event extends unknown
    ? Omit<Event, keyof ChatEventFacts>
    : never

/** A channel in `unread_counts`. */
export interface WebhookChannel {
  readonly id: number
  readonly external_id: string | null
}

/** The body of a webhook's request, for an event of one name. */
export interface WebhookDeliveryOf<Name extends keyof ChatEvents> {
  /** Identifies the event: the same at every attempt, and for every webhook. */
  readonly id: string
  /** The name of the event: its type and, after a slash, its `op`. */
  readonly type: Name
  readonly organization_id: number
  /** The organization's subdomain; empty for the only one. */
  readonly organization: string
  /** The position in the organization's log. Events that belong together may share one. */
  readonly seq: number
  /** UNIX seconds of the change. */
  readonly timestamp: number
  readonly event: PlainEvent<ChatEvents[Name]>
  /** The users who get the event, if it is not for a larger group, such as a channel. */
  readonly user_ids?: readonly number[]
  /**
   * The application's ids, by user id, of the users that the event names, as far as they have one.
   */
  readonly external_ids: Readonly<Record<string, string>>
}

/** The body of a webhook's request; `type` says which event it is. */
export type WebhookDelivery = {
  readonly [Name in keyof ChatEvents]: WebhookDeliveryOf<Name>
}[keyof ChatEvents]

/** The JSON of a request's body. */
export function deliveryText(
  { organizationId, userIds, externalIds, ...event }: AnyChatEvent,
  { id, name, seq, createdAtSeconds }: EventContext,
  organization: string,
): string {
  return JSON.stringify({
    id,
    type: name,
    organization_id: organizationId,
    organization,
    seq,
    timestamp: createdAtSeconds,
    event: 'channels' in event ? { ...event, channels: event.channels.map(sentChannel) } : event,
    ...(userIds !== undefined && { user_ids: userIds }),
    external_ids: externalIds,
  })
}

function sentChannel({ id, externalId }: EventChannel): WebhookChannel {
  return { id, external_id: externalId }
}
