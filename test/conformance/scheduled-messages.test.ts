import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { withoutIds, type EventFeed, type FedEvent } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'

/** Interval at which the server looks for due messages. */
const roundSeconds = 10
/** For queues that should outlive what the clock jumps. */
const kept = { queue_lifespan_secs: 3600 }

/** A channel message that is due in two minutes, with changes. */
const draft = (at: HostCase, changes: object = {}) => ({
  type: 'channel',
  to: at.channels.design,
  topic: 'later',
  content: 'Not yet',
  scheduled_delivery_timestamp: at.clock.seconds + 120,
  ...changes,
})

async function schedule(at: HostCase, client: Client, changes: object = {}): Promise<number> {
  const answer = await client.post('/scheduled_messages', draft(at, changes))
  assert.equal(answer.status, 200, answer.text)
  return answer.body.scheduled_message_id
}

const waitFor = (feed: EventFeed, isWanted: (event: FedEvent) => boolean): Promise<FedEvent[]> =>
  feed.until('the outcome of a scheduled message', isWanted)

const isMessage = (event: FedEvent): boolean => event.type === 'message'
const isRemovalOf = (id: number) => (event: FedEvent) =>
  event['op'] === 'remove' && event['scheduled_message_id'] === id
const isUpdateOf = (id: number) => (event: FedEvent) =>
  event['op'] === 'update' && event['scheduled_message'].scheduled_message_id === id

everyHost('create-scheduled-message', (at) => {
  it('sends the message once at the due time, and then deletes the scheduled message', async () => {
    const { alice, bob } = at.people
    const [own, others] = [
      await alice.listen({ event_types: ['scheduled_messages', 'message'] }),
      await bob.listen({ apply_markdown: true }),
    ]
    const id = await schedule(at, alice, { content: 'It is **time**' })
    assert.deepEqual(await others.drain(), [])

    at.clock.advance(180)

    const [received] = await waitFor(others, isMessage)
    assert.equal(received?.['message'].content, '<p>It is <strong>time</strong></p>')
    assert.equal(received?.['message'].sender_id, alice.id)
    const events = await waitFor(own, isRemovalOf(id))
    assert.deepEqual(
      events.map((event) => [event.type, event['op']]),
      [
        ['scheduled_messages', 'add'],
        ['message', undefined],
        ['scheduled_messages', 'remove'],
      ],
    )
    assert.equal(events.at(-1)?.['scheduled_message_id'], id)
    at.clock.advance(180)
    assert.deepEqual(await others.drain(), [])
  })

  it('sends the events only to the sender', async () => {
    const { alice, bob } = at.people
    const [own, others] = [await alice.listen(), await bob.listen()]

    const id = await schedule(at, alice)

    assert.deepEqual(withoutIds(await own.drain()), [
      {
        type: 'scheduled_messages',
        op: 'add',
        scheduled_messages: [
          {
            scheduled_message_id: id,
            type: 'stream',
            to: at.channels.design,
            topic: 'later',
            content: 'Not yet',
            rendered_content: '<p>Not yet</p>',
            scheduled_delivery_timestamp: at.clock.seconds + 120,
            failed: false,
          },
        ],
      },
    ])
    assert.deepEqual(await others.drain(), [])
    await alice.delete(`/scheduled_messages/${id}`)
  })

  it('sends direct messages, unread by the sender by default', async () => {
    const { alice, bob } = at.people
    const feed = await alice.listen()
    const direct = { type: 'direct', to: [bob.id], content: 'Psst', topic: undefined }
    await schedule(at, alice, direct)
    const last = await schedule(at, alice, { ...direct, read_by_sender: true })

    at.clock.advance(180)

    const events = await waitFor(feed, isRemovalOf(last))
    const flags = events.filter(isMessage).map((event) => event['flags'])
    assert.deepEqual(flags, [[], ['read']])
  })

  it('rejects at once a message that could not be sent', async () => {
    const { alice } = at.people
    const past = at.clock.seconds
    const refusals: readonly [object, string][] = [
      [{ type: 'other' }, 'Invalid type: Value error, Not in the list of possible values'],
      [{ scheduled_delivery_timestamp: past }, 'Scheduled delivery time must be in the future.'],
      [{ to: [at.channels.design] }, 'Invalid data type for channel ID'],
      [{ type: 'direct', to: 5 }, 'Invalid data type for recipients'],
      [{ topic: undefined }, 'Missing topic'],
      [{ content: '  ' }, 'Message must not be empty'],
      [{ type: 'direct', to: [at.unknownId] }, `Invalid user ID ${at.unknownId}`],
      [{ type: 'direct', to: [] }, 'Message must have recipients'],
    ]

    for (const [changes, text] of refusals) {
      const answer = await alice.post('/scheduled_messages', draft(at, changes))
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.msg],
        [400, 'BAD_REQUEST', text],
      )
    }
  })

  it('returns an error that names an unknown channel', async () => {
    const answer = await at.people.alice.post(
      '/scheduled_messages',
      draft(at, { to: at.unknownId }),
    )

    assert.deepEqual(answer.body, {
      result: 'error',
      msg: `Channel with ID '${at.unknownId}' does not exist`,
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: at.unknownId,
    })
  })

  it('is marked as failed if the message may no longer be sent', async () => {
    const { adam, alice } = at.people
    const feed = await alice.listen({ event_types: ['scheduled_messages'] })
    const id = await schedule(at, alice, { to: at.channels.vault })
    await adam.delete('/users/me/subscriptions', {
      subscriptions: ['vault'],
      principals: [alice.id],
    })

    at.clock.advance(180)

    const events = await waitFor(feed, isUpdateOf(id))
    const failed = events.find((event) => event['op'] === 'update')?.['scheduled_message']
    assert.deepEqual([failed.scheduled_message_id, failed.failed], [id, true])
    const { body } = await alice.get('/scheduled_messages')
    assert.deepEqual(
      body.scheduled_messages.map((message) => [message.scheduled_message_id, message.failed]),
      [[id, true]],
    )
    await alice.delete(`/scheduled_messages/${id}`)
  })
})

everyHost('create-scheduled-message', (at) => {
  it('sends a message that is ten minutes late, but none that is later', async () => {
    const { alice, bob } = at.people
    const feed = await alice.listen({ event_types: ['scheduled_messages'], ...kept })
    const ownFeed = await bob.listen({ event_types: ['message'], ...kept })
    const dueAt = at.clock.seconds + 120
    const late = await schedule(at, alice, { content: 'Too late' })
    const punctual = await schedule(at, alice, {
      content: 'Just in time',
      scheduled_delivery_timestamp: dueAt + 1,
    })

    at.clock.jump(dueAt + 601 - at.clock.seconds)
    at.clock.fire(roundSeconds)

    await feed.until('the removal of both', isRemovalOf(punctual))
    assert.deepEqual(
      (await ownFeed.drain()).map(({ message }) => message.content as string),
      ['Just in time'],
    )
    const { scheduled_messages } = (await alice.get('/scheduled_messages')).body as {
      scheduled_messages: { scheduled_message_id: number; failed: boolean }[]
    }
    assert.deepEqual(
      scheduled_messages.map(({ scheduled_message_id: id, failed }) => [id, failed]),
      [[late, true]],
    )
  })
})

everyHost('get-scheduled-messages', (at) => {
  it("lists the caller's messages by due time", async () => {
    const { alice, bob } = at.people
    const later = await schedule(at, alice, {
      scheduled_delivery_timestamp: at.clock.seconds + 900,
    })
    const sooner = await schedule(at, alice, { type: 'direct', to: [alice.id], topic: undefined })

    const [own, others] = [
      await alice.get('/scheduled_messages'),
      await bob.get('/scheduled_messages'),
    ]

    const ids = own.body.scheduled_messages.map((message) => [
      message.scheduled_message_id,
      message.to,
    ])
    assert.deepEqual(ids, [
      [sooner, [alice.id]],
      [later, at.channels.design],
    ])
    assert.deepEqual(others.body.scheduled_messages, [])
    const { body } = await alice.post('/register', { fetch_event_types: ['scheduled_messages'] })
    assert.deepEqual(body.scheduled_messages, own.body.scheduled_messages)
  })
})

everyHost('update-scheduled-message', (at) => {
  const update = (id: number, changes: object) =>
    at.people.alice.patch(`/scheduled_messages/${id}`, { ...changes })

  it('changes the given fields and keeps the others', async () => {
    const { alice } = at.people
    const id = await schedule(at, alice)
    const feed = await alice.listen({ event_types: ['scheduled_messages'] })

    const answer = await update(id, { content: 'Better' })

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    const [event] = await feed.drain()
    assert.deepEqual(event?.['scheduled_message'], {
      scheduled_message_id: id,
      type: 'stream',
      to: at.channels.design,
      topic: 'later',
      content: 'Better',
      rendered_content: '<p>Better</p>',
      scheduled_delivery_timestamp: at.clock.seconds + 120,
      failed: false,
    })
  })

  it('converts a channel message to a direct message and back', async () => {
    const { alice, bob } = at.people
    const id = await schedule(at, alice)

    await update(id, { type: 'direct', to: [bob.id] })
    const direct = (await alice.get('/scheduled_messages')).body.scheduled_messages.at(-1)
    await update(id, { type: 'stream', to: at.channels.general, topic: 'back' })
    const channel = (await alice.get('/scheduled_messages')).body.scheduled_messages.at(-1)

    assert.deepEqual([direct!.type, direct!.to, direct!.topic], ['private', [bob.id], undefined])
    assert.deepEqual(
      [channel!.type, channel!.to, channel!.topic],
      ['stream', at.channels.general, 'back'],
    )
  })

  it('rejects an incomplete change of the recipients', async () => {
    const id = await schedule(at, at.people.alice)
    const refusals: readonly [object, string][] = [
      [{}, 'Nothing to change'],
      [{ type: 'direct' }, 'Recipient required when updating type of scheduled message.'],
      [
        { type: 'channel', to: at.channels.general },
        'Topic required when updating scheduled message type to channel.',
      ],
      [
        { scheduled_delivery_timestamp: at.clock.seconds },
        'Scheduled delivery time must be in the future.',
      ],
    ]

    for (const [changes, text] of refusals) {
      const answer = await update(id, changes)
      assert.deepEqual([answer.status, answer.body.msg], [400, text])
    }
  })

  it("returns 404 for an unknown message and for another user's message", async () => {
    const id = await schedule(at, at.people.bob)

    const unknown = await update(at.unknownId, { content: 'x' })
    const foreign = await update(id, { content: 'x' })

    assert.equal(unknown.status, 404)
    assert.deepEqual(unknown.body, {
      result: 'error',
      msg: 'Scheduled message does not exist',
      code: 'BAD_REQUEST',
    })
    assert.equal(foreign.text, unknown.text)
  })

  it('schedules a failed message again if it has a new time', async () => {
    const { alice, bob } = at.people
    const id = await schedule(at, alice)
    const feed = await alice.listen({ event_types: ['scheduled_messages'], ...kept })
    // Later than the ten minutes after which a message counts as missed.
    at.clock.jump(1000)
    at.clock.advance(60)
    await waitFor(feed, isUpdateOf(id))

    const without = await update(id, { content: 'Again' })
    const ownFeed = await bob.listen()
    const answer = await update(id, { scheduled_delivery_timestamp: at.clock.seconds + 60 })
    at.clock.advance(120)

    assert.equal(without.body.msg, 'Scheduled delivery time must be in the future.')
    assert.equal(answer.status, 200)
    const [event] = await waitFor(ownFeed, isMessage)
    assert.equal(event?.['message'].content, 'Not yet')
    const late = await update(id, { content: 'Too late' })
    assert.equal(late.body.msg, 'Scheduled message was already sent')
  })
})

everyHost('delete-scheduled-message', (at) => {
  it('deletes the message and sends the event to the sender', async () => {
    const { alice } = at.people
    const id = await schedule(at, alice)
    const feed = await alice.listen({ event_types: ['scheduled_messages'] })

    const answer = await alice.delete(`/scheduled_messages/${id}`)

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ])
    assert.deepEqual((await alice.get('/scheduled_messages')).body.scheduled_messages, [])
  })

  it('deletes what is left of a message that was sent, which no list has any more', async () => {
    const { alice } = at.people
    const sent = await alice.listen({ event_types: ['scheduled_messages'] })
    const id = await schedule(at, alice, {
      scheduled_delivery_timestamp: at.clock.seconds + 60,
    })
    at.clock.advance(60)
    await waitFor(sent, isRemovalOf(id))

    const answer = await alice.delete(`/scheduled_messages/${id}`)
    const again = await alice.delete(`/scheduled_messages/${id}`)

    assert.deepEqual([answer.status, again.status], [200, 404])
    assert.deepEqual(await sent.drain(), [])
  })

  it("returns 404 for an unknown message and for another user's message", async () => {
    const id = await schedule(at, at.people.bob)

    const unknown = await at.people.alice.delete(`/scheduled_messages/${at.unknownId}`)
    const foreign = await at.people.alice.delete(`/scheduled_messages/${id}`)

    assert.deepEqual([unknown.status, unknown.body.msg], [404, 'Scheduled message does not exist'])
    assert.equal(foreign.text, unknown.text)
  })
})
