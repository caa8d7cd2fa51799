import assert from 'node:assert/strict'

import type { ClientAnswer, Item, Reducer } from './client-answer.js'
import { channelReducers } from './client-channels.js'
import { groupReducers, isAllowed } from './client-groups.js'
import { listReducers } from './client-lists.js'
import { ClientMessages } from './client-messages.js'
import { peopleReducers } from './client-people.js'

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
  // Who is online is refreshed without events; see `untold`.
  'presence',
])

/** The keys that no event keeps up to date, and why. */
const untold: Readonly<Record<string, string>> = {
  queue_id: 'is of the queue',
  last_event_id: 'is of the queue',
  presences: 'refreshes of who is online already are not told',
  presence_last_update_id: 'likewise',
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
  readonly #isLimited: boolean
  /** Whether it has become an administrator or a guest, or is one no longer. */
  #hasOtherSight = false
  /** People who were out of sight, or closed: what they say about themselves is not told again. */
  readonly #returned = new Set<number>()

  constructor(answer: ClientAnswer) {
    this.#state = structuredClone(answer)
    this.#messages = new ClientMessages(this.#state)
    const everyone = (answer['realm_user_groups'] as Item[]).find(
      ({ name }) => name === 'role:everyone',
    )
    this.#isLimited = answer['realm_can_access_all_users_group'] !== everyone?.['id']
  }

  apply(given: Item): void {
    const event = structuredClone(given)
    const { type, op } = event
    const kind = op === undefined ? type : `${type}/${op}`
    if (type === 'message') this.#messages.sent(event, this.#state['user_id'])
    else if (type === 'update_message') {
      this.#messages.updated(event, this.#state['subscriptions'])
    } else if (type === 'delete_message') this.#messages.deleted(event)
    else if (type === 'update_message_flags') this.#messages.flagged(event)
    else if (kind === 'reaction/add') this.#messages.reacted(event, this.#state['user_id'])
    else if (!unrelated.has(kind)) {
      const reduce = reducers[kind]
      assert.ok(reduce, `No client knows ${kind}`)
      const { is_admin, is_guest } = this.#state
      const person = event['person'] as Item | undefined
      if (person?.['is_active'] === true || kind === 'realm_user/add') {
        this.#returned.add(person?.['user_id'])
      }
      reduce(this.#state, event)
      if (is_admin !== this.#state['is_admin'] || is_guest !== this.#state['is_guest']) {
        this.#hasOtherSight = true
      }
    }
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

  /**
   * Strangers who are deactivated leave channels without an event where these are archived, and
   * nothing else tells guests who may not know of everyone.
   */
  #withoutUncertain(channels: readonly Item[]): readonly Item[] {
    if (!this.#isLimited || !this.#state['is_guest']) return channels
    return channels.map(({ subscriber_count, subscribers, ...channel }) =>
      channel['is_archived'] ? channel : { ...channel, subscriber_count, subscribers },
    )
  }

  /** Who is away follows from a setting that others do not know, and is told with a status only. */
  #statuses(statuses: Item): Item {
    return Object.fromEntries(
      Object.entries(statuses)
        .filter(([userId]) => !this.#returned.has(Number(userId)))
        .map(([userId, { away: _, ...status }]) => [userId, status])
        .filter(([, status]) => Object.keys(status as Item).length > 0),
    )
  }

  #certain(key: string, value: unknown): unknown {
    if (key === 'user_status') return this.#statuses(value as Item)
    if (channelLists.has(key)) return this.#withoutUncertain(value as Item[])
    return this.#inSight(key, value)
  }

  /** Compares what the client knows with what it would learn if it registered now. */
  compare(answer: ClientAnswer, title: string): void {
    const known = { ...this.#state, ...this.#derived(), ...this.#messages.describe(this.#state) }
    for (const key of new Set([...Object.keys(known), ...Object.keys(answer)])) {
      if (key in untold || this.#isUntold(key)) continue
      const [mine, theirs] = [known[key], answer[key]].map((value) =>
        comparable(key, this.#certain(key, value)),
      )
      assert.deepEqual(mine, theirs, `${key} ${title}: what the client knows, what the server says`)
    }
  }

  #isUntold(key: string): boolean {
    // Nobody tells which message is the newest now.
    const isOfNewest = key === 'max_message_id' || key === 'recent_private_conversations'
    if (isOfNewest && this.#messages.hasLostMessages) return true
    // Guests do not hear of what is moved to them from where they see nothing.
    if (key === 'max_message_id' && this.#state['is_guest']) return true
    // Such a change lets the account manage other bots, and learn of default channels, and of
    // people where guests may not know everyone.
    const isOfSight = key === 'realm_bots' || key === 'realm_default_streams'
    return this.#hasOtherSight && (isOfSight || (this.#isLimited && ofPeople.has(key)))
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

const ofPeople = new Set(['realm_users', 'realm_non_active_users', 'user_status'])

const channelLists = new Set(['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'])

/** What changes of channels without an event for everyone who knows of them. */
const untoldOfChannels: readonly string[] = [
  // Traffic is counted by the day.
  'stream_weekly_traffic',
  // Told when it is deleted, and to readers only.
  'first_message_id',
]

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
