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

/** What a client knows of a channel, in all lists that have it. */
function entries(state: ClientAnswer, channelId: number): Item[] {
  return ['streams', ...personalLists].flatMap((name) =>
    (state[name] as Item[]).filter((channel) => channel['stream_id'] === channelId),
  )
}

function forget(state: ClientAnswer, channelId: number, lists: readonly string[]): Item[] {
  return lists.flatMap((name) => take(state[name], 'stream_id', channelId) ?? [])
}

const created: Reducer = (state, { streams }) => {
  for (const channel of streams as Item[]) {
    put(state['streams'], 'stream_id', { ...channel })
    const isKnown = personalLists.some((name) =>
      (state[name] as Item[]).some((other) => other['stream_id'] === channel['stream_id']),
    )
    // Who subscribes is told by `peer_add`.
    if (!isKnown) state['never_subscribed'].push({ ...channel, subscribers: [] })
  }
}

const deleted: Reducer = (state, { stream_ids }) => {
  for (const id of stream_ids as number[]) forget(state, id, ['streams', ...personalLists])
}

const updated: Reducer = (state, event) => {
  const { stream_id, name, property, value, type: _, op: __, id: ___, ...rest } = event
  for (const channel of entries(state, stream_id)) {
    Object.assign(channel, { [property]: value }, rest)
  }
  // Muted topics are told under the names of their channels.
  if (property !== 'name') return
  for (const topic of (state['muted_topics'] ?? []) as [string, string, number][]) {
    if (topic[0] === name) topic[0] = value
  }
}

const subscribed: Reducer = (state, { subscriptions }) => {
  for (const subscription of subscriptions as Item[]) {
    const { stream_id, subscriber_count } = subscription
    forget(state, stream_id, personalLists)
    state['subscriptions'].push({ ...subscription })
    for (const channel of entries(state, stream_id)) channel['subscriber_count'] = subscriber_count
  }
}

const unsubscribed: Reducer = (state, { subscriptions }) => {
  for (const { stream_id } of subscriptions as Item[]) {
    const [subscription] = forget(state, stream_id, ['subscriptions'])
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
    // Those in `streams` have none.
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

/** Whoever may hear of the subscribers has their whole list. */
function recount(state: ClientAnswer, channelIds: readonly number[]): void {
  for (const id of channelIds) {
    const all = entries(state, id)
    const count = all.find((channel) => channel['subscribers'])?.['subscribers'].length
    for (const channel of all) channel['subscriber_count'] = count
  }
}

/** Takes a deactivated user out of all channels. */
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
