import assert from 'node:assert/strict'

import type { ClientAnswer, Item, Reducer } from './client-answer.js'
import { ChannelDoubts, channelLists } from './client-channel-uncertainties.js'
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

/** Events about things that no section of the response contains. */
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

/** The keys that no event updates, and why. */
const unsentKeys: Readonly<Record<string, string>> = {
  queue_id: 'is of the queue',
  last_event_id: 'is of the queue',
  presence_last_update_id: 'is in no event, only in answers to pings',
  server_timestamp: 'is the time of the answer',
  realm_create_public_stream_policy: 'is the deprecated form of a permission setting',
  realm_create_private_stream_policy: 'likewise',
  realm_create_web_public_stream_policy: 'likewise',
  realm_wildcard_mention_policy: 'likewise',
}

/** The lists whose order is undefined or follows from their items, with the key of their items. */
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

/**
 * The state of a client that has registered once and applies every event since, without requests.
 */
export class ClientState {
  readonly #state: ClientAnswer
  readonly #messages: ClientMessages
  readonly #presences: ClientPresences
  readonly #isLimited: boolean
  readonly #doubts: ChannelDoubts

  /** @param isModern whether it requests presences by user id, with two times only. */
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

  apply(received: Item): void {
    const event = structuredClone(received)
    const { type, op } = event
    const kind = op === undefined ? type : `${type}/${op}`
    if (type === 'message') this.#sent(event)
    else if (type === 'update_message') this.#updated(event)
    else if (type === 'delete_message') this.#messages.deleted(event)
    else if (type === 'update_message_flags') this.#messages.flagged(event)
    else if (kind === 'reaction/add') this.#messages.reacted(event, this.#state['user_id'])
    else if (type === 'presence') this.#presences.received(event)
    else if (!unrelated.has(kind)) {
      const reduce = reducers[kind]
      assert.ok(reduce, `No reducer for ${kind}`)
      this.#doubts.before(kind, event)
      if (type === 'realm_user') this.#notePresence(kind, event['person'])
      reduce(this.#state, event)
      this.#doubts.after()
    }
  }

  /** Applies the response to a ping of the client. */
  pinged(presences: Item): void {
    this.#presences.pinged(presences)
  }

  /** A known user was active again, which is not sent to this client. */
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

  /** Presences from before a user became accessible or active again are not sent. */
  #notePresence(kind: string, { user_id, is_active }: Item): void {
    if (is_active === false || kind === 'realm_user/remove') this.#presences.remove(user_id)
    if (is_active !== true && kind !== 'realm_user/add') return
    this.#presences.doubt(user_id)
  }

  /** Policies of topics are returned only while their channel is accessible and not archived. */
  #accessibleTopics(key: string, value: unknown): unknown {
    if (key !== 'user_topics' && key !== 'muted_topics') return value
    const channels = (this.#state['streams'] as Item[]).filter(({ is_archived }) => !is_archived)
    const known = new Set(channels.flatMap(({ stream_id, name }) => [stream_id, name]))
    const placeOf = (item: Item): [unknown, string] =>
      Array.isArray(item) ? [item[0], item[1]] : [item['stream_id'], item['topic_name']]
    const items = (value as Item[]).filter((item) => known.has(placeOf(item)[0]))
    return items.sort((a, b) => (placeOf(a).join() < placeOf(b).join() ? -1 : 1))
  }

  /**
   * `away` follows from a setting that other users have no access to, and is sent only with a
   * status.
   */
  #statuses(statuses: Item): Item {
    return Object.fromEntries(
      Object.entries(statuses)
        .map(([userId, { away: _, ...status }]) => [userId, status])
        .filter(([, status]) => Object.keys(status as Item).length > 0),
    )
  }

  #certain(key: string, value: unknown, answer: ClientAnswer): unknown {
    if (key === 'presences') return this.#presences.read(answer)
    if (key === 'realm_users') return (value as Item[]).filter(isAccessible)
    if (key === 'user_status') return this.#statuses(value as Item)
    if (!channelLists.has(key)) return this.#accessibleTopics(key, value)
    const isLimitedGuest = this.#isLimited && this.#state['is_guest']
    return this.#doubts.certain(key, value as Item[], { isLimitedGuest })
  }

  /** Compares the state of the client with the response to a new registration. */
  compare(response: ClientAnswer, title: string): void {
    const answer = this.#doubts.withAppeared(response)
    const known: ClientAnswer = {
      ...this.#doubts.withAppeared(this.#state),
      ...this.#derived(),
      ...this.#messages.describe(this.#state),
      presences: this.#presences.describe(),
    }
    for (const key of new Set([...Object.keys(known), ...Object.keys(answer)])) {
      if (key in unsentKeys || this.#isUnsent(key)) continue
      const own = comparable(key, this.#certain(key, known[key], known))
      const expected = comparable(key, this.#certain(key, answer[key], answer))
      assert.deepEqual(
        own,
        expected,
        `${key} ${title}: state of the client, response of the server`,
      )
    }
  }

  #isUnsent(key: string): boolean {
    // No event contains the newest message id after a deletion.
    const isOfNewest = key === 'max_message_id' || key === 'recent_private_conversations'
    if (isOfNewest && this.#messages.hasLostMessages) return true
    // Guests receive no event about messages moved from a channel to which they have no access.
    return key === 'max_message_id' && this.#state['is_guest']
  }

  /** Values that are derived from others. */
  #derived(): Item {
    const state = this.#state
    const definitions = state['server_supported_permission_settings']['realm'] as Item
    const may = (name: string): boolean =>
      // Guests do not have a permission that cannot be assigned to everyone, whatever their groups.
      (!state['is_guest'] || definitions[name]['allow_everyone_group']) &&
      isAllowed(state, state[`realm_${name}`], state['user_id'])
    const can_create_public_streams = may('can_create_public_channel_group')
    const can_create_private_streams = may('can_create_private_channel_group')
    const can_create_web_public_streams =
      state['server_web_public_streams_enabled'] &&
      state['realm_enable_spectator_access'] &&
      may('can_create_web_public_channel_group')
    const jitsiUrl = state['realm_jitsi_server_url'] ?? state['server_jitsi_server_url']
    return {
      can_create_public_streams,
      can_create_private_streams,
      can_create_web_public_streams,
      can_create_streams:
        can_create_public_streams || can_create_private_streams || can_create_web_public_streams,
      can_invite_others_to_realm: may('can_invite_users_group'),
      realm_allow_edit_history: state['realm_message_edit_history_visibility_policy'] !== 'none',
      ...(jitsiUrl !== null && { jitsi_server_url: jitsiUrl }),
    }
  }
}

/**
 * Whether it is not a placeholder for an inaccessible user. Clients without `user_list_incomplete`
 * create placeholders for removed users themselves.
 */
const isAccessible = ({ full_name }: Item): boolean => full_name !== 'Unknown user'

/**
 * Properties that change without an event: traffic is counted per day, and the text of a reminder
 * follows its message.
 */
const unsentProperties: Readonly<Record<string, readonly string[]>> = {
  streams: ['stream_weekly_traffic'],
  subscriptions: ['stream_weekly_traffic'],
  unsubscribed: ['stream_weekly_traffic'],
  never_subscribed: ['stream_weekly_traffic'],
  reminders: ['content', 'rendered_content'],
}

/** Without undefined order, and without values that change without events. */
function comparable(key: string, value: unknown): unknown {
  return withoutUnsent(key, value, unsentProperties[key] ?? [])
}

function withoutUnsent(key: string, value: unknown, unsent: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutUnsent('', item, unsent))
    const idKey = unordered[key]
    if (idKey !== undefined) return sortedBy(items as Item[], idKey)
    const isOfNumbers = key !== 'order' && items.every((item) => typeof item === 'number')
    return isOfNumbers ? (items as number[]).sort((a, b) => a - b) : items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !unsent.includes(name))
      .map(([name, inner]) => [name, withoutUnsent(name, inner, unsent)]),
  )
}

function sortedBy(items: Item[], key: string): Item[] {
  return items.sort((a, b) => (a[key] < b[key] ? -1 : 1))
}
