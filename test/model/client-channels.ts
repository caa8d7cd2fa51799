import {
  put,
  subtract,
  take,
  unite,
  type ClientAnswer,
  type Item,
  type Reducer,
} from './client-answer.js'

const personalLists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const

/** The entries of a channel in all lists that contain it. */
function entries(state: ClientAnswer, channelId: number): Item[] {
  return ['streams', ...personalLists].flatMap((name) =>
    (state[name] as Item[]).filter((channel) => channel['stream_id'] === channelId),
  )
}

function removeFrom(state: ClientAnswer, channelId: number, lists: readonly string[]): Item[] {
  return lists.flatMap((name) => take(state[name], 'stream_id', channelId) ?? [])
}

const created: Reducer = (state, { streams }) => {
  for (const channel of streams as Item[]) {
    put(state['streams'], 'stream_id', { ...channel })
    const isKnown = personalLists.some((name) =>
      (state[name] as Item[]).some((other) => other['stream_id'] === channel['stream_id']),
    )
    // Subscribers are sent in `peer_add` events.
    if (!isKnown) state['never_subscribed'].push({ ...channel, subscribers: [] })
  }
}

const deleted: Reducer = (state, { stream_ids }) => {
  for (const id of stream_ids as number[]) removeFrom(state, id, ['streams', ...personalLists])
}

const updated: Reducer = (state, event) => {
  const { stream_id, name, property, value, type: _, op: __, id: ___, ...rest } = event
  for (const channel of entries(state, stream_id)) {
    Object.assign(channel, { [property]: value }, rest)
  }
  // Muted topics refer to channels by name.
  if (property !== 'name') return
  for (const topic of (state['muted_topics'] ?? []) as [string, string, number][]) {
    if (topic[0] === name) topic[0] = value
  }
}

const subscribed: Reducer = (state, { subscriptions }) => {
  for (const subscription of subscriptions as Item[]) {
    const { stream_id, subscriber_count } = subscription
    removeFrom(state, stream_id, personalLists)
    state['subscriptions'].push({ ...subscription })
    for (const channel of entries(state, stream_id)) channel['subscriber_count'] = subscriber_count
  }
}

const unsubscribed: Reducer = (state, { subscriptions }) => {
  for (const { stream_id } of subscriptions as Item[]) {
    const [subscription] = removeFrom(state, stream_id, ['subscriptions'])
    if (subscription !== undefined) state['unsubscribed'].push(subscription)
    for (const channel of entries(state, stream_id)) {
      channel['subscriber_count'] -= 1
      if (channel['subscribers'] !== undefined) subtract(channel['subscribers'], [state['user_id']])
    }
  }
}

const settingChanged: Reducer = (state, { stream_id, property, value }) => {
  for (const name of ['subscriptions', 'unsubscribed'] as const) {
    for (const channel of state[name] as Item[]) {
      if (channel['stream_id'] === stream_id) channel[property] = value
    }
  }
}

const peersAdded: Reducer = (state, { stream_ids, user_ids }) => {
  for (const channel of (stream_ids as number[]).flatMap((id) => entries(state, id))) {
    // Those in `streams` have no subscribers.
    if (channel['subscribers'] !== undefined) unite(channel['subscribers'], user_ids)
  }
  recount(state, stream_ids)
}

const peersRemoved: Reducer = (state, { stream_ids, user_ids }) => {
  for (const channel of (stream_ids as number[]).flatMap((id) => entries(state, id))) {
    if (channel['subscribers'] !== undefined) subtract(channel['subscribers'], user_ids)
  }
  recount(state, stream_ids)
}

/** Users with access to the subscribers have the complete list. */
function recount(state: ClientAnswer, channelIds: readonly number[]): void {
  for (const id of channelIds) {
    const all = entries(state, id)
    const count = all.find((channel) => channel['subscribers'])?.['subscribers'].length
    for (const channel of all) channel['subscriber_count'] = count
  }
}

/** Removes a deactivated user from all channels. */
export function leaveChannels(state: ClientAnswer, userId: number): void {
  for (const { stream_id, subscribers } of personalLists.flatMap((name) => state[name] as Item[])) {
    if (!subscribers.includes(userId)) continue
    subtract(subscribers, [userId])
    recount(state, [stream_id])
  }
}

export const channelReducers: Readonly<Record<string, Reducer>> = {
  'stream/create': created,
  'stream/delete': deleted,
  'stream/update': updated,
  'subscription/add': subscribed,
  'subscription/remove': unsubscribed,
  'subscription/update': settingChanged,
  'subscription/peer_add': peersAdded,
  'subscription/peer_remove': peersRemoved,
  default_streams: (state, { default_streams }) => {
    state['realm_default_streams'] = default_streams
  },
}
