import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import type {
  ChatClient,
  ChatState,
  Message,
  MessageList,
  MessageListState,
  NarrowTerm,
} from '@parley/client'

import { stateOf, storeRegistration } from '../../packages/client/src/store/registered.js'
import type { Observer } from '../model/register-state.js'
import type { Client } from '../support/client.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './chat-client.js'
import { noFaults, type Faults, type FaultyProxy } from './faulty-proxy.js'

interface OpenList {
  readonly narrow: readonly NarrowTerm[]
  readonly list: MessageList
}

/** The narrows of the lists that are open all the time. */
function narrowsOf({ channels }: ChatState): readonly (readonly NarrowTerm[])[] {
  const ofChannels = [...channels.values()]
    .filter(({ subscription }) => subscription !== undefined)
    .map(({ stream_id }) => [{ operator: 'channel', operand: stream_id } as const])
  return [
    [],
    [{ operator: 'is', operand: 'dm' }],
    ...ofChannels,
    ...ofChannels.map((terms) => [...terms, { operator: 'topic', operand: 'a' } as const]),
  ]
}

/** A client whose store is compared with that of a new registration. */
export class StoreObserver implements Observer {
  /** Whether lists may have been loaded from elsewhere than their newest message. */
  #hasWandered = false

  private constructor(
    private readonly user: Client,
    private readonly client: ChatClient,
    private readonly network: FaultyProxy | undefined,
    private readonly errors: readonly unknown[],
    private readonly lists: readonly OpenList[],
    /** The channels that were visible and in use at the registration. */
    private readonly activeAtFirst: ReadonlySet<number>,
  ) {}

  /** @param network between the client and the chat; it is closed with the client. */
  static async open(user: Client, network?: FaultyProxy, pageSize = 1000): Promise<StoreObserver> {
    const url = network?.origin ?? user.endpoint.origin
    const errors: unknown[] = []
    const client = chatClientOf(user, { url, onError: (error) => errors.push(error) })
    client.open()
    await until('the registration', () => client.store.state.isRegistered)
    const channels = [...client.store.state.channels.values()]
    const active = channels.filter(({ is_archived }) => !is_archived)
    const activeAtFirst = new Set(active.map(({ stream_id }) => stream_id))
    const lists = narrowsOf(client.store.state).map((narrow) => ({
      narrow,
      list: client.messages(narrow, { pageSize }),
    }))
    await Promise.all(lists.map(({ list }) => list.load('newest')))
    return new StoreObserver(user, client, network, errors, lists, activeAtFirst)
  }

  async pinged(): Promise<void> {}

  async missPresence(): Promise<void> {}

  /** Requests other messages of some lists, without waiting for them. */
  wander(random: () => number): void {
    this.#hasWandered = true
    for (const { list } of this.lists) {
      const ways = [
        () => list.load('newest'),
        () => list.load('first_unread'),
        () => list.load('oldest'),
        () => list.older(),
        () => list.newer(),
      ]
      void ways[Math.floor(random() * 2 * ways.length)]?.()
    }
  }

  /** Connects at once, and loads the lists that say that they could not be loaded. */
  async recover(): Promise<void> {
    await until('the connection', () => {
      this.client.retryNow()
      return this.client.store.state.connection.kind === 'connected'
    })
    for (const { list } of this.lists) {
      await until('the list', () => list.state.isLoading === undefined)
      if (list.state.error !== undefined) await list.load('newest')
    }
  }

  async compare(title: string): Promise<void> {
    const { store } = this.client
    const marker = await this.user.whisper([this.user], `marker ${randomUUID()}`)
    await until('the marker', () => store.state.messages.has(marker), {
      instead: () => [store.state.connection, this.errors],
    })
    assert.deepEqual(this.errors, [], title)
    const faults = this.network?.faults
    this.#allow(noFaults)
    await this.#compareAll(title)
    this.#allow(faults)
  }

  #allow(faults: Faults | undefined): void {
    if (this.network !== undefined && faults !== undefined) this.network.faults = faults
  }

  async #compareAll(title: string): Promise<void> {
    const { api, store } = this.client
    const registration = await api.registerQueue(storeRegistration)
    await api.deleteQueue({ queue_id: registration.queue_id ?? '' })
    const fresh = stateOf(registration, store.state.connection)
    const expected = comparable(fresh, fresh, this.activeAtFirst)
    const actual = comparable(store.state, fresh, this.activeAtFirst)
    for (const part of Object.keys(expected)) {
      assert.deepEqual(
        actual[part],
        expected[part],
        `${part} ${title}: state of the store, state of a new registration`,
      )
    }
    // Guests get no event about messages that are moved from where they have no access.
    if (store.state.me.is_guest) return
    for (const open of this.lists) await this.#compareList(open, title)
  }

  async #compareList({ narrow, list }: OpenList, title: string): Promise<void> {
    const isOfChannel = narrow.some((term) => 'operator' in term && term.operator === 'channel')
    const name = `messages in ${JSON.stringify(narrow)} ${title}`
    await until(name, () => list.state.isLoading === undefined)
    const [first] = list.state.messages
    const range =
      this.#hasWandered && first !== undefined
        ? { anchor: first.id, num_before: 100, num_after: 1000 }
        : { anchor: 'newest', num_before: 1000 }
    const answer = await this.client.api
      .getMessages({ narrow, ...range, allow_empty_topic_name: true })
      .catch(() => undefined)
    // The user can no longer see the channel.
    if (answer === undefined) return
    const { channels } = this.client.store.state
    const comparableOf = (messages: readonly Message[]): readonly object[] =>
      messages
        .filter((message) => isLoaded(list.state, message))
        .filter(({ stream_id }) => stream_id === undefined || channels.get(stream_id)?.subscription)
        // What users have not received gets into their history without an event.
        .filter(({ flags }) => isOfChannel || !flags.includes('historical'))
        .map(comparableMessage)
    const expected = (): readonly object[] => comparableOf(answer.messages)
    const actual = (): readonly object[] => comparableOf(list.state.messages)
    // Messages that were moved here may still be requested.
    await until(name, () => isDeepStrictEqual(actual(), expected()), { seconds: 5 }).catch(() =>
      assert.deepEqual(actual(), expected(), `${name}: those of the list, those of a new request`),
    )
    assert.equal(list.state.error, undefined, name)
    if (!this.#hasWandered) assert.equal(list.state.haveNewest, true, name)
  }

  async close(): Promise<void> {
    this.#allow(noFaults)
    await this.client.close()
    await this.network?.close()
  }
}

/** Whether the message is in the part of a list that is loaded. */
function isLoaded(
  { messages, haveOldest, haveNewest }: MessageListState,
  { id }: Message,
): boolean {
  const first = haveOldest ? id : (messages[0]?.id ?? Infinity)
  const last = haveNewest ? id : (messages.at(-1)?.id ?? -Infinity)
  return id >= first && id <= last
}

/** The parts that events do not make equal, and why. */
const incomparable: ReadonlySet<string> = new Set([
  'connection', // is the client's own
  'messages', // are those that the client happened to receive
  'typing', // is not in a registration
  'unreadMentions', // is not public: `unread.mentions` follows from it
  'presence', // is sent when users come, not while they stay
])

/**
 * The state without what no event contains.
 *
 * @param activeAtFirst channels that were visible and in use when the store was registered.
 */
function comparable(
  state: ChatState,
  fresh: ChatState,
  activeAtFirst: ReadonlySet<number>,
): Record<string, unknown> {
  const { channels, me, organization, groups } = state
  const everyone = [...groups.values()].find(({ name }) => name === 'role:everyone')
  const isLimitedGuest =
    me.is_guest && organization.realm_can_access_all_users_group !== everyone?.id
  const parts = Object.entries({
    ...state,
    channels: mapped(channels, ({ subscribers, subscriber_count, ...channel }) => ({
      ...channel,
      // Is counted per day.
      stream_weekly_traffic: 0,
      // Follows from messages, of which some are not sent to this user.
      first_message_id: 0,
      // Deactivated users leave archived channels, and limited guests do not hear of that.
      ...((!isLimitedGuest || !channel.is_archived) && {
        subscribers: sorted(subscribers),
        subscriber_count,
      }),
    })),
    groups: mapped(groups, ({ members, direct_subgroup_ids, ...group }) => ({
      ...group,
      members: sorted(members),
      direct_subgroup_ids: sorted(direct_subgroup_ids),
    })),
    // Are returned only of channels that are visible and in use, and not sent when they become so.
    topicPolicies: new Map(
      [...state.topicPolicies].filter(
        ([id]) => channels.get(id)?.is_archived === false && activeAtFirst.has(id),
      ),
    ),
    unread: {
      ...state.unread,
      channels: mapped(state.unread.channels, ({ count, topics }) => ({
        count,
        // Is spelled as in the newest message, which may have been deleted or moved.
        topics: mapped(topics, (topic) => ({ ...topic, topic: '' })),
      })),
    },
    // No event contains the newest message, if there is one, after the newest was deleted.
    directConversations: [...state.directConversations.keys()]
      .filter((key) => fresh.directConversations.has(key))
      .sort(),
  })
  return Object.fromEntries(
    parts.filter(([name]) => !incomparable.has(name)).map(([name, part]) => [name, ordered(part)]),
  )
}

/** What no event keeps current of a message; names and pictures are those of users and channels. */
const outdated: ReadonlySet<string> = new Set([
  'avatar_url',
  'display_recipient',
  'edit_history',
  'recipient_id',
  'sender_email',
  'sender_full_name',
])

function comparableMessage({ flags, ...message }: Message): object {
  const parts = Object.entries(message).filter(([name]) => !outdated.has(name))
  return { ...Object.fromEntries(parts), flags: [...flags].sort() }
}

function mapped<Key, Value, Result>(
  map: ReadonlyMap<Key, Value>,
  change: (value: Value) => Result,
): Map<Key, Result> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value)]))
}

const sorted = (ids: readonly number[]): readonly number[] => [...ids].sort((a, b) => a - b)

/** With the members of groups that settings name in one order. */
function ordered(value: unknown): unknown {
  if (value instanceof Map) return mapped(value, ordered)
  if (typeof value !== 'object' || value === null || value instanceof Set) return value
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'number') ? sorted(value) : value.map(ordered)
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, ordered(one)]))
}
