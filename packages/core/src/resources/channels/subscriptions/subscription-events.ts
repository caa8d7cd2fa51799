import { type Static, Type } from 'typebox'

import { defineEvent, type RecipientFields } from '../../../events/event.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { channelProperties, knowsArchived } from '../channels/index.js'
import { subscriberFields } from './subscription-objects.js'

const Inherited = Type.Union([Type.Boolean(), Type.Null()], {
  description: "Null inherits the user's setting.",
})

/** The personal settings of a channel. */
const personalProperties = {
  color: Type.String({ description: '`#rrggbb`, lower case.' }),
  is_muted: Type.Boolean(),
  in_home_view: Type.Boolean({ description: 'Deprecated: the opposite of `is_muted`.' }),
  pin_to_top: Type.Boolean(),
  audible_notifications: Inherited,
  desktop_notifications: Inherited,
  email_notifications: Inherited,
  push_notifications: Inherited,
  wildcard_mentions_notify: Inherited,
}

const subscriberProperties = {
  subscribers: Type.Optional(Type.Array(Type.Integer())),
  partial_subscribers: Type.Optional(
    Type.Array(Type.Integer(), { description: 'For channels with many subscribers.' }),
  ),
}

/** A channel that the user is or was subscribed to. */
export const Subscription = Type.Object(
  { ...channelProperties, ...personalProperties, ...subscriberProperties },
  { additionalProperties: false },
)
export type Subscription = Static<typeof Subscription>

/** A channel with its subscribers. */
export const ChannelWithSubscribers = Type.Object(
  { ...channelProperties, ...subscriberProperties },
  { additionalProperties: false },
)
export type ChannelWithSubscribers = Static<typeof ChannelWithSubscribers>

export type PersonalProperties = Static<ReturnType<typeof Type.Object<typeof personalProperties>>>

/** Whether channels include the ids of their subscribers: all, none, or a part of long lists. */
export const IncludeSubscribers = Type.Union(
  [Type.Literal('true'), Type.Literal('false'), Type.Literal('partial')],
  { orJson: Type.Boolean() },
)
export type IncludeSubscribers = Static<typeof IncludeSubscribers>

const RemovedSubscription = Type.Object({ stream_id: Type.Integer(), name: Type.String() })
export type RemovedSubscription = Static<typeof RemovedSubscription>

/** Changes of archived channels are separate events, because only some clients support them. */
interface SubscriptionChange {
  readonly isOfArchived: boolean
  /**
   * Whether only clients without support for archived channels get it; for them the channel is new.
   */
  readonly isUnarchived?: boolean
}

function accepts(
  { isOfArchived = false, isUnarchived = false }: Partial<SubscriptionChange>,
  queue: EventQueueOptions,
): boolean {
  return knowsArchived(queue) ? !isUnarchived : !isOfArchived
}

/** The recipient groups carry `subscriptions`, because it differs with personal settings. */
export const subscriptionsAdded = defineEvent<SubscriptionChange>({
  type: 'subscription',
  op: 'add',
  summary:
    'A user was subscribed to channels. Sent to that user. Also sent when a channel is unarchived, to clients that do not support archived channels. With `subscribers`, or `partial_subscribers`, as `include_subscribers` of the queue requires.',
  payload: Type.Object({ subscriptions: Type.Array(Subscription) }),
  isPerRecipient: true,
  defaultFields: () => ({ subscriptions: [] }),
  accepts,
  variant: ({ includeSubscribers }) => String(includeSubscribers),
  renderFields: withRequestedSubscribers,
  render: () => [{ type: 'subscription', op: 'add' }],
})

/** The log has all subscribers; a client gets those that its queue was registered for. */
function withRequestedSubscribers(
  fields: RecipientFields,
  { includeSubscribers }: EventQueueOptions,
): RecipientFields {
  if (includeSubscribers === true) return fields
  // Every emitter sets this field of the recipient groups.
  const all = fields['subscriptions'] as readonly Subscription[]
  const subscriptions = all.map(({ subscribers = [], ...subscription }) =>
    includeSubscribers === 'partial'
      ? { ...subscription, ...subscriberFields(subscribers, includeSubscribers) }
      : subscription,
  )
  return { ...fields, subscriptions }
}

/** The recipient groups carry `subscriptions`. */
export const subscriptionsRemoved = defineEvent<SubscriptionChange>({
  type: 'subscription',
  op: 'remove',
  summary: 'A user was unsubscribed from channels. Sent to that user.',
  payload: Type.Object({ subscriptions: Type.Array(RemovedSubscription) }),
  isPerRecipient: true,
  defaultFields: () => ({ subscriptions: [] }),
  accepts,
  render: () => [{ type: 'subscription', op: 'remove' }],
})

export const subscriptionUpdated = defineEvent({
  type: 'subscription',
  op: 'update',
  summary: 'A user changed a personal setting of a channel. Sent to that user.',
  payload: Type.Object({
    stream_id: Type.Integer(),
    property: Type.String(),
    value: Type.Union([Type.Boolean(), Type.String()]),
  }),
})

const Peers = Type.Object({
  stream_ids: Type.Array(Type.Integer()),
  user_ids: Type.Array(Type.Integer()),
})

type PeerChange = Static<typeof Peers> & Partial<SubscriptionChange>

export const peersAdded = defineEvent<PeerChange>({
  type: 'subscription',
  op: 'peer_add',
  summary:
    'Other users were subscribed, or became visible as subscribers. Sent to the users who may see the subscribers.',
  payload: Peers,
  accepts,
  render: ({ stream_ids, user_ids }) => [
    { type: 'subscription', op: 'peer_add', stream_ids, user_ids },
  ],
})

export const peersRemoved = defineEvent<PeerChange>({
  type: 'subscription',
  op: 'peer_remove',
  summary: 'Other users were unsubscribed. Sent to the users who may see the subscribers.',
  payload: Peers,
  accepts,
  render: ({ stream_ids, user_ids }) => [
    { type: 'subscription', op: 'peer_remove', stream_ids, user_ids },
  ],
})
