import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const ofTopics = { event_types: ['user_topic', 'reaction', 'submessage'] }
const [unmuted, followed] = [2, 3]

/** The ways to participate in a topic without posting. */
const ways: Readonly<Record<string, (by: Client, poll: number) => Promise<Answer>>> = {
  'add-reaction': (by, poll) => by.post(`/messages/${poll}/reactions`, { emoji_name: 'tada' }),
  'add-submessage': (by, poll) =>
    by.post('/submessage', { message_id: poll, msg_type: 'widget', content: '{"type":"vote"}' }),
}

const poll = (at: HostCase, topic: string): Promise<number> =>
  at.people.alice.say(at.channels.design, topic, '/poll Lunch?\nNow\nLater')

const settings = (following: number, unmuting: number): Readonly<Record<string, unknown>> => ({
  automatically_follow_topics_policy: following,
  automatically_unmute_topics_in_muted_streams_policy: unmuting,
})

for (const [operationId, takePart] of Object.entries(ways)) {
  everyHost(
    operationId,
    (at) => {
      /** The events that Bob receives when he participates: kinds of event, and policies. */
      const eventsOf = async (by: Client, topic: string): Promise<unknown[]> => {
        const id = await poll(at, topic)
        const feed = await by.listen(ofTopics)
        const answer = await takePart(by, id)
        assert.equal(answer.status, 200, answer.text)
        return (await feed.drain()).map((event) => event['visibility_policy'] ?? event.type)
      }
      const done = operationId === 'add-reaction' ? 'reaction' : 'submessage'
      const muteChannel = (value: boolean): Promise<Answer> =>
        at.people.mona.post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id: at.channels.design, property: 'is_muted', value }],
        })

      it('follows the topic if the user has enabled that, and sends the event first, once', async () => {
        const { bob } = at.people
        const id = await poll(at, 'follow')
        const feed = await bob.listen(ofTopics)

        await takePart(bob, id)
        await takePart(bob, await poll(at, 'follow'))

        assert.deepEqual(
          (await feed.drain()).map((event) => event['visibility_policy'] ?? event.type),
          [followed, done, done],
        )
      })

      it('follows muted topics too, but nothing in a channel that the user does not receive', async () => {
        const { bob, carol } = at.people
        const topic = { stream_id: at.channels.design, topic: 'quiet', visibility_policy: 1 }
        await bob.post('/user_topics', topic)

        assert.deepEqual(await eventsOf(bob, 'quiet'), [followed, done])
        const id = await poll(at, 'outside')
        const feed = await carol.listen({ event_types: ['user_topic'] })
        assert.equal((await takePart(carol, id)).status, 200)
        assert.deepEqual(await feed.drain(), [])
      })

      it('unmutes topics of muted channels if the user has enabled that', async () => {
        const { adam, mona } = at.people
        await adam.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'design' }],
          principals: [mona.id],
        })

        assert.deepEqual(await eventsOf(mona, 'loud'), [done])
        await muteChannel(true)
        assert.deepEqual(await eventsOf(mona, 'muted'), [unmuted, done])
        await muteChannel(false)
      })

      it('changes nothing for users who follow only topics that they post in or start, and for bots', async () => {
        const { adam, bot, olga } = at.people
        await adam.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'design' }],
          principals: [olga.id, bot.id, adam.id],
        })

        for (const by of [adam, olga, bot]) {
          assert.deepEqual(await eventsOf(by, `kept by ${by.name}`), [done], by.name)
        }
      })
    },
    {
      userSettings: {
        bob: settings(1, 4),
        carol: settings(1, 1),
        mona: settings(4, 1),
        adam: settings(2, 2),
        olga: settings(3, 3),
      },
    },
  )
}
