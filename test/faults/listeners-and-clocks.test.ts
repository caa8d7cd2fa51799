import assert from 'node:assert/strict'
import { it } from 'node:test'

import { park, sweepAlone } from '../support/event-calls.js'
import type { FedEvent } from '../support/event-feed.js'
import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'

const day = 24 * 60 * 60
const messages = { event_types: ['message'] }

function contents(events: readonly FedEvent[]): string[] {
  return events.map((event) => event['message'].content)
}

everyDatabase(
  'an application whose listener throws',
  'express',
  (at) => {
    it('does not affect the commit, and the other listeners are called', async () => {
      const { alice, bob } = at.people
      const received: number[] = []
      const ends = [
        at.host.chat.on('message', () => {
          throw new Error('a listener that throws')
        }),
        // As an `async` listener would; the types require one that returns nothing.
        at.host.chat.on(
          'message',
          () => Promise.reject(new Error('a listener that rejects')) as never,
        ),
        at.host.chat.on('message', ({ message }) => received.push(message.id)),
      ]
      at.host.log.length = 0

      const id = await alice.whisper([bob], 'unharmed')
      for (const end of ends) end()
      await alice.whisper([bob], 'unheard')

      await until('the second listener', () => received.length > 0)
      assert.deepEqual(received, [id])
      assert.match(at.host.log.join('\n'), /a listener that throws/)
      assert.match(at.host.log.join('\n'), /a listener that rejects/)
    })

    it('reads commits from the log if the event bus sends nothing', async () => {
      const { alice, bob } = at.people
      const feed = await bob.listen(messages)
      const isParked = at.host.clock.next('set', 45, 55)

      const poll = feed.poll()
      await isParked
      await alice.whisper([bob], 'found in the log')
      at.host.clock.fire(0.25)

      assert.deepEqual(contents(await poll), ['found in the log'])
    })
  },
  {
    bus: {
      publishRecords() {
        throw new Error('the bus is out of order')
      },
      publishEphemeral() {},
      subscribe: () => () => {},
      close: async () => {},
    },
  },
)

everyDatabase('a clock that jumps', 'koa', (at) => {
  it('backwards loses no event and no queue', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messages)
    await alice.whisper([bob], 'before')

    at.host.clock.jump(-30 * day)
    await alice.whisper([bob], 'after')
    await sweepAlone(at.host.clock, 0)
    const inThePast = await feed.drain()
    for (let minutes = 0; minutes < 30; minutes += 1) {
      await sweepAlone(at.host.clock, 60)
      assert.deepEqual(await feed.drain(), [])
    }

    assert.deepEqual(contents(inThePast), ['before', 'after'])
    at.host.clock.jump(30 * day)
  })

  it('forwards keeps the queue of a waiting client, and removes idle ones', async () => {
    const { alice, bob } = at.people
    const waiting = await bob.listen(messages)
    const away = await bob.listen(messages)
    await alice.whisper([bob], 'before')
    assert.deepEqual(contents(await waiting.poll()), ['before'])

    const place = { queue_id: waiting.queueId, last_event_id: waiting.lastEventId }
    const poll = await park(bob, at.host.clock, place)
    await sweepAlone(at.host.clock, 2 * day)
    await alice.whisper([bob], 'after')

    const { body } = await poll.answer
    assert.deepEqual(contents(body.events), ['after'])
    const lost = await bob.get('/events', { queue_id: away.queueId, last_event_id: -1 })
    assert.equal(lost.body.code, 'BAD_EVENT_QUEUE_ID')
  })

  it('back and forth numbers and orders events in commit order', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messages)
    const sent = []

    for (const jump of [-day, 3 * day, -60, 1, -5 * day, 4 * day]) {
      at.host.clock.jump(jump)
      sent.push(`jumped by ${jump}`)
      await alice.whisper([bob], sent.at(-1) as string)
    }

    assert.deepEqual(contents(await feed.drain()), sent)
  })
})
