import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import type { Client } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyHost, type HostCase } from '../support/host.js'
import { PushReaders } from '../support/push-reader.js'

const relay = await FakeRelay.start()
after(() => relay.stop())
const readers = new PushReaders(relay)
const sweepSeconds = 60

/** Makes a user online who wants no notifications while online. @returns the user's event queue. */
async function present(client: Client): Promise<EventFeed> {
  await client.patch('/settings', { enable_online_push_notifications: false })
  await client.post('/users/me/presence', { status: 'active', ping_only: true })
  return client.listen({ event_types: ['message'] })
}

async function end(client: Client, { queueId }: Pick<EventFeed, 'queueId'>): Promise<void> {
  const answer = await client.delete('/events', { queue_id: queueId })
  assert.equal(answer.status, 200, answer.text)
}

/** Lets the queues expire that have not been used for `seconds`. */
async function idle({ clock }: HostCase, seconds: number): Promise<void> {
  clock.jump(seconds)
  const isOver = clock.next('set', sweepSeconds)
  clock.fire(sweepSeconds)
  await isOver
}

everyHost(
  'delete-queue with devices',
  (at) => {
    it('notifies of messages that the user’s last client has not received', async () => {
      const { alice, bob, carol } = at.people
      const [bobReads, carolReads] = [await readers.of(at, bob), await readers.of(at, carol)]
      const feed = await present(bob)
      await present(carol)
      await alice.whisper([bob], 'taken')
      assert.equal((await feed.drain()).length, 1)
      // Each poll acknowledges the previous events.
      await feed.poll({ dont_block: true })
      const direct = await alice.whisper([bob], 'missed')
      const mention = await alice.say(at.channels.general, 'Missed', '@**Bob Test** too')
      await alice.say(at.channels.general, 'Other', 'not about Bob')
      const toCarol = await alice.whisper([carol], 'she is there')
      const before = await bobReads.outline()

      await end(bob, feed)

      assert.deepEqual(before, [])
      assert.deepEqual(await bobReads.outline(), [
        ['message', direct],
        ['message', mention],
      ])
      assert.deepEqual(
        await carolReads.outline(),
        [],
        `${toCarol} was sent to a user who is online`,
      )
    })

    it('sends no notification while another client of the user has a queue for messages', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)
      const [first, second] = [await present(bob), await present(bob)]
      const { body: withoutMessages } = await bob.post('/register', { event_types: ['realm_user'] })
      const id = await alice.whisper([bob], 'hello')

      await end(bob, first)
      const whileThere = await reads.outline()
      await end(bob, { queueId: withoutMessages.queue_id })
      await end(bob, second)

      assert.deepEqual(whileThere, [])
      assert.deepEqual(await reads.outline(), [['message', id]])
    })

    it('sends no notification of messages that were read, already notified of, or muted', async () => {
      const { alice, gus } = at.people
      const reads = await readers.of(at, gus)
      const feed = await present(gus)
      const read = await alice.whisper([gus], 'read elsewhere')
      await gus.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' })
      at.clock.jump(300)
      const notified = await alice.whisper([gus], 'away')
      const sent = await reads.outline()
      await gus.post('/users/me/presence', { status: 'active', ping_only: true })
      await gus.post('/user_topics', {
        stream_id: at.channels.general,
        topic: 'Quiet',
        visibility_policy: 1,
      })
      await alice.say(at.channels.general, 'Quiet', '@**all** psst')

      await end(gus, feed)

      assert.deepEqual(sent, [['message', notified]])
      assert.deepEqual(await reads.outline(), [])
    })

    it('notifies once when two clients end', async () => {
      const { alice, mona } = at.people
      const reads = await readers.of(at, mona)
      const [first, second] = [await present(mona), await present(mona)]
      const id = await alice.whisper([mona], 'hello')

      await Promise.all([end(mona, first), end(mona, second)])
      const third = await present(mona)
      await end(mona, third)

      assert.deepEqual(await reads.outline(), [['message', id]])
    })
  },
  {},
  { pushRelay: relay.address },
)

everyHost(
  'get-events with devices',
  (at) => {
    it('notifies of missed messages when the last queue expires', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)
      const feed = await present(bob)
      await alice.whisper([bob], 'taken')
      await feed.drain()
      await feed.poll({ dont_block: true })
      const id = await alice.whisper([bob], 'missed')
      await idle(at, 300)
      const tooEarly = await reads.outline()

      await idle(at, 600)

      assert.deepEqual(tooEarly, [])
      assert.deepEqual(await reads.outline(), [['message', id]])
      const gone = await bob.get('/events', { queue_id: feed.queueId, last_event_id: -1 })
      assert.equal(gone.body.code, 'BAD_EVENT_QUEUE_ID')
    })
  },
  {},
  { pushRelay: relay.address },
)
