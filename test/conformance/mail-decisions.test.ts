import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { MissedMails, pass, set } from '../support/missed-mails.js'

const missed = new MissedMails()

/** A change of one's own subscription. */
const subscribed = (client: Client, stream_id: number, property: string, value: boolean) =>
  client.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property, value }],
  })

const follow = (client: Client, stream_id: number, topic: string, visibility_policy = 3) =>
  client.post('/user_topics', { stream_id, topic, visibility_policy })

/** What happens between queueing and sending, to messages in the topic of that name. */
type Change = (at: HostCase, topic: string, messageId: number) => Promise<unknown>

const changes: Readonly<Record<string, Change>> = {
  'muted topic': ({ people, channels }, topic) => follow(people.bob, channels.general, topic, 1),
  'unfollowed topic': ({ people, channels }, topic) =>
    follow(people.bob, channels.general, topic, 0),
  'moved to a muted topic': async ({ people, channels }, topic, id) => {
    await people.olga.patch(`/messages/${id}`, { topic: `${topic} to` })
    // A policy for the new topic would give way to that of the old one, which moves too.
    await follow(people.bob, channels.general, `${topic} to`, 1)
  },
  'moved to a channel that the user cannot see': async ({ people }, _, id) => {
    const made = await people.olga.post('/channels/create', {
      name: 'hidden',
      subscribers: [people.olga.id],
      invite_only: true,
    })
    const answer = await people.olga.patch(`/messages/${id}`, { stream_id: made.body.id })
    assert.equal(answer.status, 200, answer.text)
  },
  read: ({ people }, _, id) =>
    people.bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
  deleted: ({ people }, _, id) => people.olga.delete(`/messages/${id}`),
}

const subjects = (client: Client, from: number) =>
  missed.server
    .to(client.email)
    .slice(from)
    .map(({ subject }) => subject)

everyDatabase(
  'what changes before mails about missed messages are sent',
  'express',
  (at) => {
    it('decides on mails about followed topics', async () => {
      const { alice, bob } = at.people
      const { general } = at.channels
      const count = missed.countOf(bob)
      const ids = new Map<string, number>()
      for (const topic of [...Object.keys(changes), 'unchanged']) {
        await follow(bob, general, topic)
        ids.set(topic, await alice.say(general, topic, `about ${topic}`))
      }

      for (const [topic, change] of Object.entries(changes)) {
        await change(at, topic, ids.get(topic) ?? 0)
      }
      await missed.settled(at)

      assert.deepEqual(subjects(bob, count), ['#general > unchanged'])
    })

    it('decides on mails about all messages of a channel', async () => {
      const { adam, alice, bob, olga } = at.people
      const { general } = at.channels
      const readers = [adam, bob, olga]
      const counts = readers.map((client) => missed.countOf(client))
      for (const client of readers) await subscribed(client, general, 'email_notifications', true)
      await alice.say(general, 'changed', 'first')
      await subscribed(adam, general, 'is_muted', true)
      await subscribed(bob, general, 'email_notifications', false)
      await olga.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      await missed.settled(at)
      assert.deepEqual(
        readers.map((client) => missed.countOf(client)),
        counts,
      )

      await subscribed(adam, general, 'is_muted', false)
      await olga.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
      await alice.say(general, 'changed', 'second')
      await pass(at)
      await missed.server.arrived(adam.email, (counts[0] ?? 0) + 1)
      await subscribed(adam, general, 'email_notifications', false)
      await subscribed(olga, general, 'email_notifications', false)
    })

    it('decides on mails about mentions', async () => {
      const { adam, alice, bob, olga } = at.people
      const { general } = at.channels
      const counts = [adam, bob, olga].map((client) => missed.countOf(client))
      await alice.say(general, 'all', '@**all** hello')
      await set(adam, { wildcard_mentions_notify: false })
      await set(bob, { enable_offline_email_notifications: false })
      await follow(olga, general, 'all', 1)
      await missed.settled(at)
      assert.deepEqual(
        [adam, bob, olga].map((client) => missed.countOf(client)),
        counts,
      )

      await set(bob, { enable_offline_email_notifications: true })
      await alice.say(general, 'one', '@**Bob Test** hello')
      await follow(bob, general, 'one', 1)
      await pass(at)
      const mail = await missed.server.arrived(bob.email, (counts[1] ?? 0) + 1)
      assert.match(mail.text ?? '', /> @Bob Test hello/)
    })

    it('decides on mails about direct messages', async () => {
      const { adam, alice, bob } = at.people
      const count = missed.countOf(bob)
      await alice.whisper([bob], 'from a muted user')
      await adam.whisper([bob], 'from another user')
      await bob.post(`/users/me/muted_users/${alice.id}`)

      await missed.settled(at)

      assert.deepEqual(subjects(bob, count), ['Direct messages with Adam Test'])
      await bob.delete(`/users/me/muted_users/${alice.id}`)
    })

    it('does not include that a user is active again without reading the message', async () => {
      const { alice, bob } = at.people
      const count = missed.countOf(bob)
      await alice.whisper([bob], 'unread')
      const feed = await bob.listen()
      await bob.post('/users/me/presence', { status: 'active', new_user_input: true })

      await pass(at)

      const mail = await missed.server.arrived(bob.email, count + 1)
      assert.match(mail.text ?? '', /> unread/)
      await bob.delete('/events', { queue_id: feed.queueId })
    })

    it('decides on a mail also while the mails before it are sent', async () => {
      const { adam, alice, olga } = at.people
      const count = missed.countOf(olga)
      await alice.whisper([olga], 'first')
      const id = await adam.whisper([olga], 'second')
      const answer = missed.server.holdAnswers()
      const isOver = at.clock.next('set', 10)
      at.clock.jump(121)
      at.clock.fire(10)
      await missed.server.arrived(olga.email, count + 1)

      await olga.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      answer()
      await isOver
      await missed.settled(at)

      assert.deepEqual(subjects(olga, count), ['Direct messages with Alice Test'])
    })
  },
  missed.options,
)
