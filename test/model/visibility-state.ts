import assert from 'node:assert/strict'

import type { Answer, Client } from '../support/client.js'
import type { EventFeed, FedEvent } from '../support/event-feed.js'
import type { FakeClock } from '../support/fake-clock.js'
import type { TestHost } from '../support/host.js'
import { makeChannel } from '../support/channels.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import {
  channelNames,
  names,
  VisibilityModel,
  type ChannelName,
  type GroupName,
  type Name,
} from './visibility-model.js'

const eventTypes = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'update_message_flags',
  'stream',
  'subscription',
  'presence',
] as const
/** In all messages that users send, until they are edited. */
const searchedWord = 'Hello'
/** In these channels, all users would have access to each other. */
const usualChannels = ['general', 'design', 'secret', 'vault', 'window']
/** A user who reports activity after this time was offline. */
const awaySeconds = 140

/** Changes of a channel that follow from its messages. */
const derivedProperties = new Set(['first_message_id', 'is_recently_active', 'name'])

/** The users of a real organization with a client each, and the model of what they can access. */
export class VisibilityState {
  readonly model: VisibilityModel
  readonly groupIds = {} as Record<GroupName | 'inner' | 'nobody', number>
  #feeds = new Map<Name, EventFeed>()
  /** Queues for all public channels, of the users whose roles change. */
  readonly #followers = new Map<Name, EventFeed>()
  /**
   * The user whose own flags the current command may change: unsubscribing marks messages as read.
   */
  #flagging: Name | undefined

  private constructor(
    readonly people: Readonly<Record<Name, Client>>,
    private readonly clock: FakeClock,
    isLimited: boolean,
  ) {
    this.model = new VisibilityModel(isLimited)
  }

  /**
   * Creates an organization with three channels, and registers a queue for each user.
   *
   * @param isLimited whether guests have access only to users with whom they share a channel or
   * conversation.
   */
  static async create(host: TestHost, isLimited: boolean): Promise<VisibilityState> {
    const can_access_all_users_group = isLimited ? 'role:members' : 'role:everyone'
    const { people } = await host.organization({ settings: { can_access_all_users_group } })
    const state = new VisibilityState(people, host.clock, isLimited)
    await people.olga.delete('/users/me/subscriptions', {
      subscriptions: usualChannels,
      principals: names.map((name) => people[name].id),
    })
    const { olga, alice, bob, carol, gus } = people
    state.groupIds.nobody = await systemGroupId(olga, 'role:nobody')
    for (const name of ['joiners', 'keepers', 'inner'] as const) {
      const members = name === 'inner' ? [carol.id] : []
      state.groupIds[name] = await makeGroup(olga, name, { members })
    }
    const settings = {
      can_subscribe_group: state.groupIds.joiners,
      can_administer_channel_group: state.groupIds.keepers,
    }
    const kinds = {
      pub: ['public', {}, [olga, alice, gus]],
      shared: [
        'private',
        { invite_only: true, history_public_to_subscribers: true },
        [olga, alice],
      ],
      hidden: ['protected', { invite_only: true }, [olga, bob]],
    } as const
    for (const name of channelNames) {
      const [privacy, params, people] = kinds[name]
      const subscribers = people.map((person) => person.id)
      const id = await makeChannel(olga, name, { ...params, ...settings, subscribers })
      state.model.channels.set(name, {
        id,
        privacy,
        isArchived: false,
        isOpenToJoiners: true,
        subscribers: new Set(people.map((person) => person.name as Name)),
      })
    }
    for (const name of channelNames) await olga.say(state.channelId(name), 'a', 'Welcome')
    await state.#addFirstMessages()
    for (const name of names) {
      state.#feeds.set(
        name,
        await people[name].listen({
          event_types: eventTypes,
          client_capabilities: {
            notification_settings_null: true,
            archived_channels: true,
            bulk_message_deletion: true,
          },
        }),
      )
    }
    for (const name of ['alice', 'bob', 'carol'] as const) {
      const options = { event_types: ['message'], all_public_streams: true }
      state.#followers.set(name, await people[name].listen(options))
    }
    return state
  }

  /** Adds the first messages of the new channels, also those of bots, to the model. */
  async #addFirstMessages(): Promise<void> {
    for (const name of channelNames) {
      const narrow = [{ operator: 'channel', operand: this.channelId(name) }]
      const range = { anchor: 'newest', num_before: 10, num_after: 0 }
      const { body } = await this.people.olga.get('/messages', { narrow, ...range })
      for (const { id, subject } of body.messages) this.model.sent(id, 'olga', name, subject)
    }
    this.model.takeExpected()
    this.model.takeExpectedToFollow()
  }

  /** A user who was offline becomes active. */
  async appear(name: Name): Promise<Answer> {
    this.clock.jump(awaySeconds)
    return this.people[name].post('/users/me/presence', { status: 'active', ping_only: true })
  }

  channelId(name: ChannelName): number {
    return this.model.channel(name).id
  }

  nameOf(userId: number): Name | undefined {
    return names.find((name) => this.people[name].id === userId)
  }

  /** Unsubscribing from a channel marks its messages as read. */
  allowFlags(name: Name): void {
    this.#flagging = name
  }

  /** Compares the events of each user with those that the model expects since the last call. */
  async compare(answer: Answer): Promise<void> {
    const received = new Map<Name, FedEvent[]>()
    await Promise.all(
      [...this.#feeds].map(async ([name, feed]) => {
        received.set(name, await feed.poll({ dont_block: true }))
      }),
    )
    this.#addNotificationMessages(received)
    const expected = this.model.takeExpected()
    for (const name of names) {
      const texts = (received.get(name) ?? []).flatMap((event) => this.#textOf(name, event))
      assert.deepEqual(
        texts.sort(),
        [...(expected.get(name) ?? [])].sort(),
        `Events of ${name}, after ${answer.status} ${answer.text.slice(0, 200)}`,
      )
    }
    await this.#compareFollowers(answer)
    this.#flagging = undefined
  }

  async #compareFollowers(answer: Answer): Promise<void> {
    const expected = this.model.takeExpectedToFollow()
    const compareOne = async ([name, feed]: [Name, EventFeed]): Promise<void> => {
      const events = await feed.poll({ dont_block: true })
      assert.deepEqual(
        events.map((event) => event['message'].id as number).sort((a, b) => a - b),
        [...(expected.get(name) ?? [])].sort((a, b) => a - b),
        `Followed messages of ${name}, after ${answer.status} ${answer.text.slice(0, 200)}`,
      )
    }
    await Promise.all([...this.#followers].map(compareOne))
  }

  /** Compares the messages and channels that each user can access with the model. */
  async compareAccess(): Promise<void> {
    const compareOne = async (name: Name): Promise<void> => {
      for (const message of this.model.messages.values()) {
        const { status } = await this.people[name].get(`/messages/${message.id}`)
        const may = this.model.mayRead(name, message)
        assert.equal(status === 200, may, `Whether ${name} may read ${message.id}`)
      }
      for (const channel of channelNames) {
        const { status } = await this.people[name].get(`/streams/${this.channelId(channel)}`)
        const isAccessible = this.model.canAccess(name, channel)
        assert.equal(status === 200, isAccessible, `Whether ${name} can access ${channel}`)
        await this.#compareRanges(name, channel)
      }
      const received = [...this.model.messages.values()]
        .filter((message) => message.records.has(name) && this.model.mayRead(name, message))
        .map((message) => message.id)
      const own = await this.#find(name, [])
      assert.deepEqual(own, received.sort(ascending), `Messages of ${name} without a narrow`)
    }
    await Promise.all(names.map(compareOne))
  }

  /** Ranges and searches in a channel return the messages that are readable by id. */
  async #compareRanges(name: Name, channel: ChannelName): Promise<void> {
    const readable = [...this.model.messages.values()]
      .filter((message) => message.channel === channel && this.model.mayRead(name, message))
      .map((message) => message.id)
    const narrow = { operator: 'channel', operand: this.channelId(channel) }
    const searched = { operator: 'search', operand: searchedWord }
    const found = await this.#find(name, [narrow])
    assert.deepEqual(found, readable.sort(ascending), `Messages of ${name} in ${channel}`)
    const withWord = await this.#find('olga', [narrow, searched])
    assert.deepEqual(
      await this.#find(name, [narrow, searched]),
      withWord.filter((id) => readable.includes(id)),
      `Search results of ${name} in ${channel}`,
    )
  }

  /** The ids of the model's messages that match a narrow. */
  async #find(name: Name, narrow: readonly object[]): Promise<number[]> {
    const range = { anchor: 'newest', num_before: 1000, num_after: 0, narrow }
    const { status, text, body } = await this.people[name].get('/messages', range)
    assert.equal(status, 200, text)
    const ids = (body.messages as { id: number }[]).map(({ id }) => id)
    return ids.filter((id) => this.model.messages.has(id))
  }

  /** No events arrive late. */
  async finish(): Promise<void> {
    for (const [name, feed] of this.#feeds) {
      assert.deepEqual(await feed.drain(), [], `Late events of ${name}`)
    }
  }

  /**
   * Adds notification messages to the model: to the subscribers of their channel, or direct ones.
   */
  #addNotificationMessages(received: ReadonlyMap<Name, readonly FedEvent[]>): void {
    for (const event of [...received.values()].flat()) {
      if (event.type !== 'message') continue
      const { id, type, subject, stream_id, sender_id, display_recipient } = event['message']
      if (this.model.messages.has(id) || this.nameOf(sender_id) !== undefined) continue
      if (type === 'private') {
        const people = (display_recipient as { id: number }[]).flatMap(
          (person) => this.nameOf(person.id) ?? [],
        )
        this.model.sentDirectly(id, 'olga', new Set(people))
        continue
      }
      const channel = channelNames.find((name) => this.channelId(name) === stream_id)
      assert.ok(channel, `A notification message in channel ${stream_id}`)
      this.model.sent(id, 'olga', channel, subject)
    }
  }

  /** The organization has other channels, which are not in the model. */
  #known(ids: readonly number[]): number[] {
    const own = new Set(channelNames.map((name) => this.channelId(name)))
    return ids.filter((id) => own.has(id))
  }

  #textOf(name: Name, event: FedEvent): string[] {
    const { type, op } = event
    switch (type) {
      case 'message':
        return [`message ${event['message'].id}`]
      case 'update_message':
      case 'delete_message':
        return [`${type} ${event['message_ids'].join()}`]
      case 'reaction':
        return [`${type}/${op} ${event['message_id']}`]
      case 'presence':
        return [`presence ${this.nameOf(event['user_id'])}`]
      case 'update_message_flags':
        return this.#flagging === name ? [] : [`${type} ${event['messages'].join()}`]
      case 'stream':
        if (op === 'update') {
          const { stream_id, property } = event
          if (!derivedProperties.has(property)) return [`stream/update ${stream_id} ${property}`]
          // Only users with access to the channel receive the event.
          const channel = channelNames.find((other) => this.channelId(other) === stream_id)
          assert.ok(channel !== undefined && this.model.canAccess(name, channel))
          return []
        }
        return this.#known(idsOf(event)).map((id) => `stream/${op} ${id}`)
      case 'subscription':
        return this.#known(idsOf(event)).map((id) => `subscription/${op} ${id}`)
      default:
        return [type]
    }
  }
}

function ascending(a: number, b: number): number {
  return a - b
}

function idsOf(event: FedEvent): number[] {
  if (event['stream_ids'] !== undefined) return event['stream_ids']
  const items = (event['streams'] ?? event['subscriptions']) as { stream_id: number }[]
  return items.map(({ stream_id }) => stream_id)
}
