import { removeChannelMessages } from './messages.js'
import {
  changeEntry,
  united,
  without,
  withoutEntry,
  type Changes,
  type LiveState,
  type Reducers,
} from './reducer.js'
import type { ChannelState, Subscription } from './state.js'
import { removeChannelUnread } from './unread.js'

type WireChannel = Omit<ChannelState, 'subscribers' | 'subscription'> & {
  readonly subscribers?: readonly number[] | undefined
  readonly partial_subscribers?: readonly number[] | undefined
}

/** A channel of the registration or of an event, without personal settings. */
export function channelOf(
  wire: WireChannel & Partial<Subscription>,
  subscription?: Subscription,
): ChannelState {
  const {
    color: _color,
    is_muted: _muted,
    in_home_view: _home,
    pin_to_top: _pin,
    audible_notifications: _audible,
    desktop_notifications: _desktop,
    email_notifications: _email,
    push_notifications: _push,
    wildcard_mentions_notify: _wildcard,
    partial_subscribers: _partial,
    subscribers = [],
    ...channel
  } = wire
  return { ...channel, subscribers, ...(subscription !== undefined && { subscription }) }
}

export function subscriptionOf(wire: Subscription): Subscription {
  return {
    color: wire.color,
    is_muted: wire.is_muted,
    in_home_view: wire.in_home_view,
    pin_to_top: wire.pin_to_top,
    audible_notifications: wire.audible_notifications,
    desktop_notifications: wire.desktop_notifications,
    email_notifications: wire.email_notifications,
    push_notifications: wire.push_notifications,
    wildcard_mentions_notify: wire.wildcard_mentions_notify,
  }
}

/** A channel without a user among its subscribers. */
export function withoutSubscriber(channel: ChannelState, userId: number): ChannelState {
  const subscribers = without(channel.subscribers, new Set([userId]))
  return subscribers === channel.subscribers
    ? channel
    : { ...channel, subscribers, subscriber_count: subscribers.length }
}

/** The channels in which the subscribers are others now. */
function resubscribed(
  channels: LiveState['channels'],
  ids: readonly number[],
  changes: Changes,
  change: (subscribers: readonly number[]) => readonly number[],
): LiveState['channels'] {
  return ids.reduce(
    (all, id) =>
      changeEntry(all, id, changes, (channel) => {
        const subscribers = change(channel.subscribers)
        return { ...channel, subscribers, subscriber_count: subscribers.length }
      }),
    channels,
  )
}

/** Channels, their subscribers, and the user's settings for them. */
export const channelReducers: Reducers = {
  'stream/create': ({ channels }, { streams }, changes) => {
    const all = changes.map(channels)
    for (const stream of streams) {
      // The subscribers of a new channel come in other events.
      const { subscribers = [], subscription } = all.get(stream.stream_id) ?? {}
      all.set(stream.stream_id, channelOf({ ...stream, subscribers }, subscription))
    }
    return { channels: all }
  },
  'stream/delete': (state, { stream_ids }, changes) => ({
    channels: stream_ids.reduce((all, id) => withoutEntry(all, id, changes), state.channels),
    ...removeChannelUnread(state, stream_ids, changes),
    ...removeChannelMessages(state, stream_ids, changes),
  }),
  'stream/update': ({ channels }, event, changes) => {
    const { stream_id, name: _, property, value, type: _type, op: _op, id: _id, ...more } = event
    return {
      channels: changeEntry(
        channels,
        stream_id,
        changes,
        // The server names a property and sends its value.
        (channel) => ({ ...channel, [property]: value, ...more }) as ChannelState,
      ),
    }
  },
  'subscription/add': ({ channels }, { subscriptions }, changes) => {
    const all = changes.map(channels)
    for (const wire of subscriptions) {
      all.set(wire.stream_id, channelOf(wire, subscriptionOf(wire)))
    }
    return { channels: all }
  },
  'subscription/remove': ({ channels, me }, { subscriptions }, changes) => {
    let all = channels
    for (const { stream_id } of subscriptions) {
      all = changeEntry(all, stream_id, changes, ({ subscription: _, ...channel }) => ({
        ...channel,
        subscribers: without(channel.subscribers, new Set([me.user_id])),
        subscriber_count: channel.subscriber_count - 1,
      }))
    }
    return { channels: all }
  },
  'subscription/update': ({ channels }, { stream_id, property, value }, changes) => ({
    channels: changeEntry(channels, stream_id, changes, (channel) =>
      channel.subscription === undefined
        ? channel
        : { ...channel, subscription: { ...channel.subscription, [property]: value } },
    ),
  }),
  'subscription/peer_add': ({ channels }, { stream_ids, user_ids }, changes) => ({
    channels: resubscribed(channels, stream_ids, changes, (ids) => united(ids, user_ids)),
  }),
  'subscription/peer_remove': ({ channels }, { stream_ids, user_ids }, changes) => {
    const removed = new Set(user_ids)
    return {
      channels: resubscribed(channels, stream_ids, changes, (ids) => without(ids, removed)),
    }
  },
}
