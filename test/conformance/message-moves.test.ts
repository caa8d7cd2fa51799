import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { withoutIds, type EventFeed } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'
import { statementsOf } from '../support/statements.js'
import { stored } from '../support/topic-policies.js'

const [none, muted, unmuted, followed] = [0, 1, 2, 3]

/** Settings with which sending a message changes no visibility policy of its topic. */
const quiet = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
}

/** The channel, topic and policy of each event of a feed; muted topics without their times. */
async function policies(feed: EventFeed): Promise<unknown[]> {
  return (await feed.drain()).map((event) =>
    event.type === 'muted_topics'
      ? event['muted_topics'].map(([channel, topic]: string[]) => `${channel}/${topic}`)
      : [event['stream_id'], event['topic_name'], event['visibility_policy']],
  )
}

everyHost(
  'update-message',
  (at) => {
    const set = async (
      person: Client,
      stream_id: number,
      topic: string,
      visibility_policy: number,
    ): Promise<void> => {
      const answer = await person.post('/user_topics', { stream_id, topic, visibility_policy })
      assert.equal(answer.status, 200, answer.text)
    }
    const move = async (person: Client, id: number, changes: object): Promise<void> => {
      const answer = await person.patch(`/messages/${id}`, { ...changes })
      assert.equal(answer.status, 200, answer.text)
    }
    /** Creates a channel that Alice, Bob and the guest are subscribed to. */
    const channel = async (name: string, params: object = {}): Promise<number> => {
      const { alice, bob, gus } = at.people
      return makeChannel(at.people.olga, name, {
        subscribers: [alice.id, bob.id, gus.id],
        ...params,
      })
    }
    const topicEvents = { event_types: ['user_topic'] } as const
    const legacyEvents = { event_types: ['muted_topics'] } as const

    it('moves the visibility policies of all users if the whole topic is moved', async () => {
      const { alice, bob, carol, gus } = at.people
      const id = await channel('policies-whole')
      const message = await alice.say(id, 'old', 'One')
      await alice.say(id, 'old', 'Two')
      await set(alice, id, 'old', followed)
      await set(bob, id, 'OLD', muted)
      await set(carol, id, 'elsewhere', muted)
      const feeds = [
        await alice.listen(topicEvents),
        await bob.listen(topicEvents),
        await bob.listen(legacyEvents),
        await carol.listen(topicEvents),
        await gus.listen(topicEvents),
      ]

      await move(alice, message, { topic: 'new', propagate_mode: 'change_all' })

      assert.deepEqual(await Promise.all(feeds.map(policies)), [
        [
          [id, 'old', none],
          [id, 'new', followed],
        ],
        [
          [id, 'OLD', none],
          [id, 'new', muted],
        ],
        [['policies-whole/new']],
        [],
        [],
      ])
      assert.deepEqual(await stored(alice, [id]), [[id, 'new', followed]])
      assert.deepEqual(await stored(bob, [id]), [[id, 'new', muted]])
    })

    it('keeps the more visible policy if the new topic had messages', async () => {
      const { alice, bob, gus } = at.people
      const id = await channel('policies-merge')
      const message = await alice.say(id, 'from', 'One')
      await alice.say(id, 'to', 'Other')
      await set(alice, id, 'from', muted)
      await set(bob, id, 'from', unmuted)
      await set(bob, id, 'to', followed)
      await set(gus, id, 'to', muted)
      const feeds = [
        await alice.listen(topicEvents),
        await bob.listen(topicEvents),
        await gus.listen(topicEvents),
      ]

      await move(alice, message, { topic: 'to', propagate_mode: 'change_all' })

      assert.deepEqual(await Promise.all(feeds.map(policies)), [
        [[id, 'from', none]],
        [[id, 'from', none]],
        [[id, 'to', none]],
      ])
      assert.deepEqual(await stored(bob, [id]), [[id, 'to', followed]])
    })

    it('replaces the policies of a new topic that had no messages', async () => {
      const { alice, bob } = at.people
      const id = await channel('policies-empty')
      const message = await alice.say(id, 'from', 'One')
      await set(alice, id, 'from', muted)
      await set(alice, id, 'to', followed)
      await set(bob, id, 'to', followed)

      await move(alice, message, { topic: 'to', propagate_mode: 'change_all' })

      assert.deepEqual(await stored(alice, [id]), [[id, 'to', muted]])
      assert.deepEqual(await stored(bob, [id]), [])
    })

    it('moves the policies once the mover can see no more messages in the old topic', async () => {
      const { alice } = at.people
      const id = await channel('policies-rest')
      const [one, two] = [await alice.say(id, 'rest', 'One'), await alice.say(id, 'rest', 'Two')]
      await set(alice, id, 'rest', followed)

      await move(alice, one, { topic: 'new' })
      const afterOne = await stored(alice, [id])
      await move(alice, two, { topic: 'new' })

      assert.deepEqual(afterOne, [[id, 'rest', followed]])
      assert.deepEqual(await stored(alice, [id]), [[id, 'new', followed]])
    })

    it('changes no policies if only the case of the topic changes', async () => {
      const { alice } = at.people
      const id = await channel('policies-case')
      const message = await alice.say(id, 'shout', 'One')
      await set(alice, id, 'shout', followed)
      const feed = await alice.listen(topicEvents)

      await move(alice, message, { topic: 'SHOUT', propagate_mode: 'change_all' })

      assert.deepEqual(await policies(feed), [])
    })

    it('removes the policies of users who cannot access the new channel', async () => {
      const { alice, bob, gus } = at.people
      const source = await channel('policies-open')
      const target = await channel('policies-closed', {
        invite_only: true,
        subscribers: [alice.id],
      })
      const message = await alice.say(source, 'both', 'One')
      await set(alice, source, 'both', followed)
      await set(bob, source, 'both', muted)
      await set(gus, source, 'both', followed)
      const feeds = [
        await alice.listen(topicEvents),
        await bob.listen(topicEvents),
        await gus.listen(topicEvents),
      ]

      await move(alice, message, { stream_id: target, propagate_mode: 'change_all' })

      assert.deepEqual(await Promise.all(feeds.map(policies)), [
        [
          [source, 'both', none],
          [target, 'both', followed],
        ],
        [[source, 'both', none]],
        [[source, 'both', none]],
      ])
      assert.deepEqual(await stored(bob, [source, target]), [])
    })

    it('sends deleted messages first, then policies, then the move', async () => {
      const { alice, bob } = at.people
      const source = await channel('order-open')
      const target = await channel('order-closed', { invite_only: true, subscribers: [alice.id] })
      const message = await alice.say(source, 'both', 'One')
      for (const person of [alice, bob]) await set(person, source, 'both', followed)
      const types = { event_types: ['delete_message', 'user_topic', 'update_message'] }
      const feeds = [await alice.listen(types), await bob.listen(types)]

      await move(alice, message, { stream_id: target })

      const received = await Promise.all(feeds.map(async (feed) => feed.drain()))
      assert.deepEqual(
        received.map((events) => events.map(({ type }) => type)),
        [
          ['user_topic', 'user_topic', 'update_message'],
          ['delete_message', 'user_topic'],
        ],
      )
    })

    it("applies the senders' policies for started topics if part of a topic is moved", async () => {
      const { alice, bob } = at.people
      const id = await channel('policies-start')
      await bob.patch('/settings', { automatically_follow_topics_policy: 3 })
      const kept = await alice.say(id, 'talk', 'Stays')
      const [one, two] = [await bob.say(id, 'talk', 'One'), await bob.say(id, 'talk', 'Two')]
      const feed = await bob.listen(topicEvents)

      await move(alice, two, { topic: 'aside' })
      await move(alice, one, { topic: 'aside' })

      assert.ok(kept < one)
      assert.deepEqual(await policies(feed), [[id, 'aside', followed]])
      await bob.patch('/settings', { automatically_follow_topics_policy: 4 })
    })

    it('executes no more statements for more users', async () => {
      const { alice, bob, carol, olga, adam, mona } = at.people
      const id = await channel('policies-many')
      const count = async (people: readonly Client[], topic: string): Promise<number> => {
        const message = await alice.say(id, topic, 'One')
        for (const person of people) await set(person, id, topic, followed)
        const changes = { topic: `${topic} moved`, propagate_mode: 'change_all' }
        return (await statementsOf(at.host, () => move(alice, message, changes))).length
      }

      const [few, many] = [
        await count([alice], 'few'),
        await count([alice, bob, carol, olga, adam, mona], 'many'),
      ]

      assert.equal(many, few)
    })

    it('adds moved messages as read for the subscribers of a channel with protected history', async () => {
      const { alice, bob, carol } = at.people
      const source = await channel('hidden-source', { subscribers: [alice.id] })
      const target = await channel('hidden-target', {
        invite_only: true,
        subscribers: [alice.id, bob.id],
      })
      const message = await alice.say(source, 'a', 'One')
      const types = { event_types: ['update_message', 'delete_message'] }
      const feeds = [await bob.listen(types), await carol.listen(types)]

      await move(alice, message, { stream_id: target })

      const [received = [], others] = [await feeds[0]?.drain(), await feeds[1]?.drain()]
      assert.deepEqual(
        received.map(({ type, message_ids, new_stream_id }) => [type, message_ids, new_stream_id]),
        [['update_message', [message], target]],
      )
      assert.deepEqual(others, [])
      const { body } = await bob.get(`/messages/${message}`)
      assert.equal(body.message.flags.includes('read'), true)
      assert.equal((await carol.get(`/messages/${message}`)).status, 400)
    })

    it('keeps the flags of a deactivated subscriber of both channels', async () => {
      const { alice, bob, olga } = at.people
      const subscribers = [alice.id, bob.id]
      const source = await channel('left-source', { subscribers })
      const target = await channel('left-target', { subscribers })
      const message = await alice.say(source, 'a', 'One')
      await bob.post('/messages/flags', { messages: [message], op: 'add', flag: 'starred' })
      assert.equal((await olga.delete(`/users/${bob.id}`)).status, 200)

      await move(alice, message, { stream_id: target })
      assert.equal((await reactivate(at, olga, bob)).status, 200)

      const { body } = await bob.get(`/messages/${message}`)
      assert.equal(body.message.stream_id, target)
      assert.ok(body.message.flags.includes('starred'))
      assert.ok(!body.message.flags.includes('read'))
    })

    it('sends deletions from a protected history only to users who had the messages', async () => {
      const { alice, bob } = at.people
      const source = await channel('lost-source', { invite_only: true, subscribers: [alice.id] })
      const target = await channel('lost-target', { invite_only: true, subscribers: [alice.id] })
      const before = await alice.say(source, 'a', 'Before bob')
      const { olga } = at.people
      await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'lost-source' }],
        principals: [bob.id],
      })
      const after = await alice.say(source, 'a', 'Before all')
      const bulk = {
        client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
      }
      const types = { event_types: ['delete_message', 'update_message'], ...bulk }
      const feeds = [await bob.listen(types), await olga.listen(types)]

      await move(alice, before, { stream_id: target, propagate_mode: 'change_all' })

      const [bobEvents, olgaEvents] = [await feeds[0]?.drain(), await feeds[1]?.drain()]
      assert.deepEqual(withoutIds(bobEvents ?? []), [
        {
          type: 'delete_message',
          message_ids: [after],
          message_type: 'stream',
          stream_id: source,
          topic: 'a',
        },
      ])
      assert.deepEqual(olgaEvents, [])
    })

    it('sends guests no events of messages that move to their channel from one that they cannot see', async () => {
      const { alice, bob, gus } = at.people
      const source = await channel('guestless', { subscribers: [alice.id] })
      const target = await channel('with-guest')
      const message = await alice.say(source, 'a', 'One')
      const types = { event_types: ['update_message', 'delete_message'] }
      const feeds = [await bob.listen(types), await gus.listen(types)]

      await move(alice, message, { stream_id: target })

      const received = await Promise.all(feeds.map(async (feed) => feed.drain()))
      assert.deepEqual(
        received.map((events) => events.map(({ type }) => type)),
        [['update_message'], []],
      )
      assert.equal((await gus.get(`/messages/${message}`)).status, 200)
    })

    it('sends no edits to users who have left a private channel', async () => {
      const { alice, bob } = at.people
      const id = await channel('left-private', {
        invite_only: true,
        subscribers: [alice.id, bob.id],
      })
      const message = await alice.say(id, 'a', 'One')
      await bob.delete('/users/me/subscriptions', { subscriptions: ['left-private'] })
      const feed = await bob.listen({ event_types: ['update_message'] })

      await move(alice, message, { content: 'Secret' })
      await move(alice, message, { topic: 'b' })

      assert.deepEqual(await feed.drain(), [])
    })
  },
  { userSettings: { alice: quiet, bob: quiet } },
  {},
)
