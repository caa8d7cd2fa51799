import assert from 'node:assert/strict'

import type { ClientAnswer, Item, Reducer } from './client-answer.js'
import { ChannelDoubts, channelLists } from './client-channel-doubts.js'
import { channelReducers } from './client-channels.js'
import { groupReducers, isAllowed } from './client-groups.js'
import { listReducers } from './client-lists.js'
import { ClientMessages } from './client-messages.js'
import { peopleReducers } from './client-people.js'
import { ClientPresences } from './client-presences.js'

const reducers: Readonly<Record<string, Reducer>> = {
  ...peopleReducers,
  ...channelReducers,
  ...groupReducers,
  ...listReducers,
}

/** Events about things that no section of the answer is about. */
const unrelated = new Set([
  'heartbeat',
  'reaction/remove',
  'attachment/add',
  'attachment/update',
  'attachment/remove',
  'realm_export_consent',
  'submessage',
  'typing/start',
  'typing/stop',
])

/** The keys that no event keeps up to date, and why. */
const untold: Readonly<Record<string, string>> = {
  queue_id: 'is of the queue',
  last_event_id: 'is of the queue',
  presence_last_update_id: 'is in no event, only in answers to pings',
  server_timestamp: 'is the time of the answer',
  realm_create_public_stream_policy: 'is the deprecated form of a permission setting',
  realm_create_private_stream_policy: 'likewise',
  realm_create_web_public_stream_policy: 'likewise',
  realm_wildcard_mention_policy: 'likewise',
}

/** The lists whose order means nothing, or follows from their items, with what tells these apart. */
const unordered: Readonly<Record<string, string>> = {
  realm_users: 'user_id',
  realm_non_active_users: 'user_id',
  realm_bots: 'user_id',
  realm_user_groups: 'id',
  streams: 'stream_id',
  subscriptions: 'stream_id',
  unsubscribed: 'stream_id',
  never_subscribed: 'stream_id',
  drafts: 'id',
  scheduled_messages: 'scheduled_message_id',
  reminders: 'reminder_id',
  channel_folders: 'order',
  pms: 'other_user_id',
  huddles: 'user_ids_string',
}

/** What a client knows that has registered once and applies every event since, asking nothing. */
export class ClientState {
  readonly #state: ClientAnswer
  readonly #messages: ClientMessages
  readonly #presences: ClientPresences
  readonly #isLimited: boolean
  readonly #doubts: ChannelDoubts

  /** @param isModern whether it wants presences by user id, and nothing but two times of each. */
  constructor(answer: ClientAnswer, { isModern }: { readonly isModern: boolean }) {
    this.#state = structuredClone(answer)
    this.#messages = new ClientMessages(this.#state)
    this.#presences = new ClientPresences(this.#state, isModern)
    this.#doubts = new ChannelDoubts(this.#state)
    const everyone = (answer['realm_user_groups'] as Item[]).find(
      ({ name }) => name === 'role:everyone',
    )
    this.#isLimited = answer['realm_can_access_all_users_group'] !== everyone?.['id']
  }

  apply(given: Item): void {
    const event = structuredClone(given)
    const { type, op } = event
    const kind = op === undefined ? type : `${type}/${op}`
    if (type === 'message') this.#sent(event)
    else if (type === 'update_message') this.#updated(event)
    else if (type === 'delete_message') this.#messages.deleted(event)
    else if (type === 'update_message_flags') this.#messages.flagged(event)
    else if (kind === 'reaction/add') this.#messages.reacted(event, this.#state['user_id'])
    else if (type === 'presence') this.#presences.told(event)
    else if (!unrelated.has(kind)) {
      const reduce = reducers[kind]
      assert.ok(reduce, `No client knows ${kind}`)
      this.#doubts.before(kind, event)
      if (type === 'realm_user') this.#notePresence(kind, event['person'])
      reduce(this.#state, event)
      this.#doubts.after()
    }
  }

  /** What a ping of its own has answered. */
  pinged(presences: Item): void {
    this.#presences.pinged(presences)
  }

  /** Somebody was there, who was there before: that is not told. */
  missPresence(userId: number): void {
    this.#presences.doubt(userId)
  }

  #sent(event: Item): void {
    this.#messages.sent(event, this.#state['user_id'])
    const { stream_id, id } = event['message']
    const channel = this.#subscription(stream_id)
    if (channel !== undefined) channel['first_message_id'] ??= id
  }

  #updated(event: Item): void {
    this.#messages.updated(event, this.#state['subscriptions'])
    this.#doubts.moved(event)
  }

  #subscription(channelId: unknown): Item | undefined {
    return (this.#state['subscriptions'] as Item[]).find(({ stream_id }) => stream_id === channelId)
  }

  /** Nothing is told of where people were before they came into sight, or back. */
  #notePresence(kind: string, { user_id, is_active }: Item): void {
    if (is_active === false || kind === 'realm_user/remove') this.#presences.forget(user_id)
    if (is_active !== true && kind !== 'realm_user/add') return
    this.#presences.doubt(user_id)
  }

  /** What was decided of topics waits until their channel is in sight, and back from the archive. */
  #inSight(key: string, value: unknown): unknown {
    if (key !== 'user_topics' && key !== 'muted_topics') return value
    const channels = (this.#state['streams'] as Item[]).filter(({ is_archived }) => !is_archived)
    const known = new Set(channels.flatMap(({ stream_id, name }) => [stream_id, name]))
    const placeOf = (item: Item): [unknown, string] =>
      Array.isArray(item) ? [item[0], item[1]] : [item['stream_id'], item['topic_name']]
    const items = (value as Item[]).filter((item) => known.has(placeOf(item)[0]))
    return items.sort((a, b) => (placeOf(a).join() < placeOf(b).join() ? -1 : 1))
  }

  /** Who is away follows from a setting that others do not know, and is told with a status only. */
  #statuses(statuses: Item): Item {
    return Object.fromEntries(
      Object.entries(statuses)
        .map(([userId, { away: _, ...status }]) => [userId, status])
        .filter(([, status]) => Object.keys(status as Item).length > 0),
    )
  }

  #certain(key: string, value: unknown, answer: ClientAnswer): unknown {
    if (key === 'presences') return this.#presences.read(answer)
    if (key === 'realm_users') return (value as Item[]).filter(isKnown)
    if (key === 'user_status') return this.#statuses(value as Item)
    if (!channelLists.has(key)) return this.#inSight(key, value)
    const isLimitedGuest = this.#isLimited && this.#state['is_guest']
    return this.#doubts.certain(key, value as Item[], { isLimitedGuest })
  }

  /** Compares what the client knows with what it would learn if it registered now. */
  compare(fresh: ClientAnswer, title: string): void {
    const answer = this.#doubts.withAppeared(fresh)
    const known: ClientAnswer = {
      ...this.#doubts.withAppeared(this.#state),
      ...this.#derived(),
      ...this.#messages.describe(this.#state),
      presences: this.#presences.describe(),
    }
    for (const key of new Set([...Object.keys(known), ...Object.keys(answer)])) {
      if (key in untold || this.#isUntold(key)) continue
      const mine = comparable(key, this.#certain(key, known[key], known))
      const theirs = comparable(key, this.#certain(key, answer[key], answer))
      assert.deepEqual(mine, theirs, `${key} ${title}: what the client knows, what the server says`)
    }
  }

  #isUntold(key: string): boolean {
    // Nobody tells which message is the newest now.
    const isOfNewest = key === 'max_message_id' || key === 'recent_private_conversations'
    if (isOfNewest && this.#messages.hasLostMessages) return true
    // Guests do not hear of what is moved to them from where they see nothing.
    return key === 'max_message_id' && this.#state['is_guest']
  }

  /** What follows from something else. */
  #derived(): Item {
    const state = this.#state
    const definitions = state['server_supported_permission_settings']['realm'] as Item
    const may = (name: string): boolean =>
      // What not everyone can be allowed, guests are not, whatever groups they are in.
      (!state['is_guest'] || definitions[name]['allow_everyone_group']) &&
      isAllowed(state, state[`realm_${name}`], state['user_id'])
    const can_create_public_streams = may('can_create_public_channel_group')
    const can_create_private_streams = may('can_create_private_channel_group')
    const can_create_web_public_streams =
      state['server_web_public_streams_enabled'] &&
      state['realm_enable_spectator_access'] &&
      may('can_create_web_public_channel_group')
    return {
      can_create_public_streams,
      can_create_private_streams,
      can_create_web_public_streams,
      can_create_streams:
        can_create_public_streams || can_create_private_streams || can_create_web_public_streams,
      can_invite_others_to_realm: may('can_invite_users_group'),
      realm_allow_edit_history: state['realm_message_edit_history_visibility_policy'] !== 'none',
      jitsi_server_url: state['realm_jitsi_server_url'] ?? state['server_jitsi_server_url'],
    }
  }
}

/**
 * Whether it is no stand-in for somebody out of sight. Clients that do not expect incomplete lists
 * make one themselves of whoever is removed.
 */
const isKnown = ({ full_name }: Item): boolean => full_name !== 'Unknown user'

/** What changes of channels without an event: traffic is counted by the day. */
const untoldOfChannels: readonly string[] = ['stream_weekly_traffic']

/** Without the order where it says nothing, and without what changes by itself. */
function comparable(key: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable('', item))
    const idKey = unordered[key]
    if (idKey !== undefined) return sortedBy(items as Item[], idKey)
    const isOfNumbers = key !== 'order' && items.every((item) => typeof item === 'number')
    return isOfNumbers ? (items as number[]).sort((a, b) => a - b) : items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !untoldOfChannels.includes(name))
      .map(([name, inner]) => [name, comparable(name, inner)]),
  )
}

function sortedBy(items: Item[], key: string): Item[] {
  return items.sort((a, b) => (a[key] < b[key] ? -1 : 1))
}
