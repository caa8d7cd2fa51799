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
  SightModel,
  type ChannelName,
  type GroupName,
  type Name,
} from './sight-model.js'

const heardTypes = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'update_message_flags',
  'stream',
  'subscription',
  'presence',
] as const
/** In all messages that people write, until they are edited. */
const searchedWord = 'Hello'
/** Where everybody would know everybody. */
const usualChannels = ['general', 'design', 'secret', 'vault', 'window']
/** Whoever is there again after so long was away. */
const awaySeconds = 140

/** Changes of a channel that follow from its messages. */
const derivedProperties = new Set(['first_message_id', 'is_recently_active', 'name'])

/** The people of a real organization with a client each, beside the model of what they see. */
export class SightWorld {
  readonly model: SightModel
  readonly groupIds = {} as Record<GroupName | 'inner' | 'nobody', number>
  #feeds = new Map<Name, EventFeed>()
  /** Whose own flags may change with what is going on, as a channel that is left is read. */
  #flagging: Name | undefined

  private constructor(
    readonly people: Readonly<Record<Name, Client>>,
    private readonly clock: FakeClock,
    isLimited: boolean,
  ) {
    this.model = new SightModel(isLimited)
  }

  /**
   * Makes an organization with three channels, and lets everyone listen.
   *
   * @param isLimited whether guests know only with whom they share a channel or a conversation.
   */
  static async create(host: TestHost, isLimited: boolean): Promise<SightWorld> {
    const can_access_all_users_group = isLimited ? 'role:members' : 'role:everyone'
    const { people } = await host.organization({ settings: { can_access_all_users_group } })
    const world = new SightWorld(people, host.clock, isLimited)
    await people.olga.delete('/users/me/subscriptions', {
      subscriptions: usualChannels,
      principals: names.map((name) => people[name].id),
    })
    const { olga, alice, bob, carol, gus } = people
    world.groupIds.nobody = await systemGroupId(olga, 'role:nobody')
    for (const name of ['joiners', 'keepers', 'inner'] as const) {
      const members = name === 'inner' ? [carol.id] : []
      world.groupIds[name] = await makeGroup(olga, name, { members })
    }
    const settings = {
      can_subscribe_group: world.groupIds.joiners,
      can_administer_channel_group: world.groupIds.keepers,
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
      world.model.channels.set(name, {
        id,
        privacy,
        isArchived: false,
        isOpenToJoiners: true,
        subscribers: new Set(people.map((person) => person.name as Name)),
      })
    }
    for (const name of channelNames) await olga.say(world.channelId(name), 'a', 'Welcome')
    await world.#learnBeginnings()
    for (const name of names) {
      world.#feeds.set(
        name,
        await people[name].listen({
          event_types: heardTypes,
          client_capabilities: {
            notification_settings_null: true,
            archived_channels: true,
            bulk_message_deletion: true,
          },
        }),
      )
    }
    return world
  }

  /** What was said in the new channels, also by bots, to those who subscribe to them. */
  async #learnBeginnings(): Promise<void> {
    for (const name of channelNames) {
      const narrow = [{ operator: 'channel', operand: this.channelId(name) }]
      const range = { anchor: 'newest', num_before: 10, num_after: 0 }
      const { body } = await this.people.olga.get('/messages', { narrow, ...range })
      for (const { id, subject } of body.messages) this.model.said(id, 'olga', name, subject)
    }
    this.model.takeExpected()
  }

  /** Somebody comes back who was away. */
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

  /** Whoever leaves a channel reads what is left of it. */
  letFlag(name: Name): void {
    this.#flagging = name
  }

  /** Compares what everyone has heard with what the model expects since the last time. */
  async compare(answer: Answer): Promise<void> {
    const heard = new Map<Name, FedEvent[]>()
    await Promise.all(
      [...this.#feeds].map(async ([name, feed]) => {
        heard.set(name, await feed.poll({ dont_block: true }))
      }),
    )
    this.#admitNotices(heard)
    const expected = this.model.takeExpected()
    for (const name of names) {
      const texts = (heard.get(name) ?? []).flatMap((event) => this.#textOf(name, event))
      assert.deepEqual(
        texts.sort(),
        [...(expected.get(name) ?? [])].sort(),
        `What ${name} heard, after ${answer.status} ${answer.text.slice(0, 200)}`,
      )
    }
    this.#flagging = undefined
  }

  /** Compares what everyone may read and see with the model. */
  async compareAccess(): Promise<void> {
    const compareOne = async (name: Name): Promise<void> => {
      for (const message of this.model.messages.values()) {
        const { status } = await this.people[name].get(`/messages/${message.id}`)
        const may = this.model.mayRead(name, message)
        assert.equal(status === 200, may, `Whether ${name} may read ${message.id}`)
      }
      for (const channel of channelNames) {
        const { status } = await this.people[name].get(`/streams/${this.channelId(channel)}`)
        const sees = this.model.sees(name, channel)
        assert.equal(status === 200, sees, `Whether ${name} sees ${channel}`)
        await this.#compareRanges(name, channel)
      }
      const received = [...this.model.messages.values()]
        .filter((message) => message.records.has(name) && this.model.mayRead(name, message))
        .map((message) => message.id)
      const own = await this.#find(name, [])
      assert.deepEqual(own, received.sort(ascending), `What ${name} finds without a narrow`)
    }
    await Promise.all(names.map(compareOne))
  }

  /** What ranges and searches find in a channel is what may be read by id. */
  async #compareRanges(name: Name, channel: ChannelName): Promise<void> {
    const readable = [...this.model.messages.values()]
      .filter((message) => message.channel === channel && this.model.mayRead(name, message))
      .map((message) => message.id)
    const narrow = { operator: 'channel', operand: this.channelId(channel) }
    const searched = { operator: 'search', operand: searchedWord }
    const found = await this.#find(name, [narrow])
    if (!this.model.sees(name, channel)) {
      assert.equal(found, undefined, `Whether ${name} can name ${channel}`)
      return
    }
    assert.deepEqual(found, readable.sort(ascending), `What ${name} finds in ${channel}`)
    const withWord = await this.#find('olga', [narrow, searched])
    assert.deepEqual(
      await this.#find(name, [narrow, searched]),
      withWord?.filter((id) => readable.includes(id)),
      `What ${name} finds by searching in ${channel}`,
    )
  }

  /** The ids of the messages of the model that a narrow finds; undefined if it is refused. */
  async #find(name: Name, narrow: readonly object[]): Promise<number[] | undefined> {
    const range = { anchor: 'newest', num_before: 1000, num_after: 0, narrow }
    const { status, body } = await this.people[name].get('/messages', range)
    if (status !== 200) return undefined
    const ids = (body.messages as { id: number }[]).map(({ id }) => id)
    return ids.filter((id) => this.model.messages.has(id))
  }

  /** Nothing may be left that was not heard at once. */
  async finish(): Promise<void> {
    for (const [name, feed] of this.#feeds) {
      assert.deepEqual(await feed.drain(), [], `What ${name} heard too late`)
    }
  }

  /** What bots write about what happens is said to the subscribers of its channel, or in private. */
  #admitNotices(heard: ReadonlyMap<Name, readonly FedEvent[]>): void {
    for (const event of [...heard.values()].flat()) {
      if (event.type !== 'message') continue
      const { id, type, subject, stream_id, sender_id, display_recipient } = event['message']
      if (this.model.messages.has(id) || this.nameOf(sender_id) !== undefined) continue
      if (type === 'private') {
        const people = (display_recipient as { id: number }[]).flatMap(
          (person) => this.nameOf(person.id) ?? [],
        )
        this.model.whispered(id, 'olga', new Set(people))
        continue
      }
      const channel = channelNames.find((name) => this.channelId(name) === stream_id)
      assert.ok(channel, `A notice in channel ${stream_id}`)
      this.model.said(id, 'olga', channel, subject)
    }
  }

  /** The organization has other channels, about which the model says nothing. */
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
          // Who hears of the channel must know of it.
          const channel = channelNames.find((other) => this.channelId(other) === stream_id)
          assert.ok(channel !== undefined && this.model.sees(name, channel))
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
