import { Type, type Static } from 'typebox'

import { channelProperties } from '../channels/index.js'

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
