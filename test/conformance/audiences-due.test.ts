import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyAudienceOf } from '../support/audience-table.js'
import { each, everybody, receivedEvents } from '../support/audiences.js'
import type { Answer, Client } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'

const daySeconds = 86_400
const roundSeconds = 1800

everyAudienceOf('report-message', [
  {
    who: 'only the subscribers of the channel for moderation requests',
    prepare: async ({ people: { olga, bob, gus }, channels }) => {
      await olga.patch('/realm', { moderation_request_channel_id: channels.vault })
      const id = await bob.say(channels.general, 'spam', 'Buy')
      return () => gus.post(`/messages/${id}/report`, { report_type: 'spam' })
    },
    events: each(['alice', 'bob'], 'message'),
  },
  {
    who: 'the same users, if a direct message is reported',
    prepare: async ({ people: { mona, gus } }) => {
      const id = await mona.whisper([gus], 'Buy')
      return () => gus.post(`/messages/${id}/report`, { report_type: 'harassment' })
    },
    events: each(['alice', 'bob'], 'message'),
  },
])

/** Advances the clock until `user` receives an event that the item is due. */
async function fallDue(at: HostCase, user: Client, type: string): Promise<Answer> {
  const feed: EventFeed = await user.listen({ event_types: [type] })
  at.clock.advance(180)
  // A message that cannot be sent is kept, marked as failed.
  await feed.until(`an event of type ${type}`, (event) => event.type === type)
  return user.get('/users/me')
}

const schedule = async (at: HostCase, by: Client, what: object): Promise<void> => {
  const answer = await by.post('/scheduled_messages', {
    content: 'Now',
    scheduled_delivery_timestamp: at.clock.seconds + 120,
    ...what,
  })
  assert.equal(answer.status, 200, answer.text)
}

everyAudienceOf(
  'create-scheduled-message',
  [
    {
      who: 'the subscribers, and a scheduled_messages event to the sender',
      prepare: async (at) => {
        const { alice } = at.people
        await schedule(at, alice, { type: 'channel', to: at.channels.vault, topic: 'leaf' })
        return () => fallDue(at, alice, 'scheduled_messages')
      },
      events: { alice: ['message', 'scheduled_messages/remove'], bob: ['message'] },
    },
    {
      who: 'all subscribers, if the sender is a guest',
      prepare: async (at) => {
        const { gus } = at.people
        await schedule(at, gus, { type: 'channel', to: at.channels.general, topic: 'leaf' })
        return () => fallDue(at, gus, 'scheduled_messages')
      },
      events: { ...everybody('message'), gus: ['message', 'scheduled_messages/remove'] },
    },
    {
      who: 'the participants of a direct message conversation',
      prepare: async (at) => {
        const { alice, gus } = at.people
        await schedule(at, alice, { type: 'direct', to: [gus.id] })
        return () => fallDue(at, alice, 'scheduled_messages')
      },
      events: { alice: ['message', 'scheduled_messages/remove'], gus: ['message'] },
    },
    {
      who: 'only the sender, if the message cannot be sent',
      prepare: async (at) => {
        const { olga, bob } = at.people
        await schedule(at, bob, { type: 'channel', to: at.channels.vault, topic: 'leaf' })
        await olga.delete('/users/me/subscriptions', {
          subscriptions: ['vault'],
          principals: [bob.id],
        })
        return () => fallDue(at, bob, 'scheduled_messages')
      },
      events: { bob: ['scheduled_messages/update', 'message'] },
    },
  ],
  {
    userSettings: {
      alice: { automatically_follow_topics_policy: 4 },
      gus: { automatically_follow_topics_policy: 4 },
    },
  },
)

everyAudienceOf('create-message-reminder', [
  {
    who: 'only its owner',
    prepare: async (at) => {
      const { bob, gus } = at.people
      const answer = await gus.post('/reminders', {
        message_id: await bob.say(at.channels.general, 'leaf', 'Later'),
        scheduled_delivery_timestamp: at.clock.seconds + 120,
      })
      assert.equal(answer.status, 200, answer.text)
      return () => fallDue(at, gus, 'reminders')
    },
    events: { gus: ['message', 'reminders/remove'] },
  },
])

const subscribing = (by: Client, name: string, who: Client): Promise<Answer> =>
  by.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.id] })

everyHost('message retention of a channel', (at) => {
  const passRound = async (): Promise<void> => {
    const isOver = at.clock.next('set', roundSeconds)
    at.clock.fire(roundSeconds)
    await isOver
  }
  /** Deletes the expired messages, and returns the events that each user receives. */
  const eventsOfRound = async (): Promise<unknown> => {
    at.clock.jump(10 * daySeconds + 1)
    return receivedEvents(at, async ({ olga }) => {
      await passRound()
      return olga.get('/users/me')
    })
  }
  const keepFor = (days: number | string, channelId: number): Promise<Answer> =>
    at.people.olga.patch(`/streams/${channelId}`, { message_retention_days: days })
  const gone = ['delete_message', 'stream/update:first_message_id']

  it('sends events for a public channel to subscribers and to members who received the messages', async () => {
    const { adam, alice, bob, carol } = at.people
    const { design } = at.channels
    await keepFor(10, design)
    await alice.say(design, 'leaf', 'Old')
    await bob.delete('/users/me/subscriptions', { subscriptions: ['design'] })
    await subscribing(adam, 'design', carol)

    assert.deepEqual(await eventsOfRound(), each(['alice', 'bob', 'carol'], ...gone))
  })

  it('sends events to the subscribers if the history is shared', async () => {
    const { alice, gus, carol } = at.people
    const { secret } = at.channels
    await keepFor(10, secret)
    await subscribing(alice, 'secret', carol)
    await alice.say(secret, 'leaf', 'Old')
    await carol.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
    await subscribing(alice, 'secret', gus)

    assert.deepEqual(await eventsOfRound(), each(['alice', 'gus'], ...gone))
  })

  it('sends events to subscribers who have the messages if the history is protected', async () => {
    const { alice, carol } = at.people
    const { vault } = at.channels
    await keepFor(10, vault)
    await alice.say(vault, 'leaf', 'Old')
    await subscribing(alice, 'vault', carol)

    assert.deepEqual(await eventsOfRound(), each(['alice', 'bob'], ...gone))
  })

  it('sends events to the participants of direct messages', async () => {
    const { olga, mona, gus, bot } = at.people
    await olga.patch('/realm', { message_retention_days: 10 })
    at.clock.jump(10 * daySeconds + 1)
    await passRound()
    await mona.whisper([gus, bot], 'Old')

    assert.deepEqual(await eventsOfRound(), each(['mona', 'gus', 'bot'], 'delete_message'))
  })
})
