import assert from 'node:assert/strict'
import { it } from 'node:test'

import {
  assertBadQueue,
  contents,
  heartbeatCancelled,
  park,
  registered,
} from '../support/event-calls.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { within } from '../support/waiting.js'

everyHost('get-events', (at) => {
  it('returns the events after last_event_id, oldest first, with the id of the queue', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    for (const text of ['one', 'two', 'three']) await bob.whisper([alice], text)

    const answer = await alice.get('/events', { queue_id: queueId, last_event_id: start })

    assert.deepEqual(Object.keys(answer.body).sort(), ['events', 'msg', 'queue_id', 'result'])
    assert.equal(answer.body.queue_id, queueId)
    assert.deepEqual(contents(answer), ['one', 'two', 'three'])
    const ids = (answer.body.events as { id: number }[]).map(({ id }) => id)
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    )
    assert.ok(ids.every((id) => id > start && id % 1024 === 0))
  })

  it('returns the same events again until a later last_event_id acknowledges them', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    await bob.whisper([alice], 'first')
    await bob.whisper([alice], 'second')

    const once = await alice.get('/events', { queue_id: queueId, last_event_id: start })
    const again = await alice.get('/events', { queue_id: queueId, last_event_id: start })
    const rest = await alice.get('/events', {
      queue_id: queueId,
      last_event_id: once.body.events[0].id,
    })

    assert.deepEqual(again.body.events, once.body.events)
    assert.deepEqual(contents(rest), ['second'])
  })

  it('accepts -1 as last_event_id for all events', async () => {
    const { alice, bob } = at.people
    const { queueId } = await registered(at)
    await bob.whisper([alice], 'to be had')

    const answer = await alice.get('/events', { queue_id: queueId, last_event_id: -1 })

    assert.deepEqual(contents(answer), ['to be had'])
  })

  it('continues after the latest acknowledged event without last_event_id', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    await bob.whisper([alice], 'first')
    const first = await alice.get('/events', { queue_id: queueId })
    await bob.whisper([alice], 'second')
    const lastEventId = first.body.events[0].id as number
    const params = { queue_id: queueId, dont_block: true }

    const unacknowledged = await alice.get('/events', params)
    await alice.get('/events', { ...params, last_event_id: lastEventId })
    const acknowledged = await alice.get('/events', params)
    await alice.get('/events', { ...params, last_event_id: start })
    const afterGoingBack = await alice.get('/events', params)

    assert.deepEqual(contents(unacknowledged), ['first', 'second'])
    assert.deepEqual(contents(acknowledged), ['second'])
    assert.deepEqual(contents(afterGoingBack), ['second'])
  })

  it('refuses a last_event_id that is not an integer', async () => {
    const { queueId } = await registered(at)
    const texts = { x: 'is not valid JSON', '"5"': 'is not an integer', '1.5': 'is not an integer' }

    for (const [last_event_id, problem] of Object.entries(texts)) {
      const answer = await at.people.alice.get('/events', { queue_id: queueId, last_event_id })

      assert.equal(answer.status, 400)
      assert.equal(answer.body.msg, `last_event_id ${problem}`)
      assert.equal(answer.body.code, 'BAD_REQUEST')
    }
  })

  it('refuses a last_event_id before the latest acknowledged event, or below -1', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    for (const text of ['one', 'two', 'three']) await bob.whisper([alice], text)
    const poll = (last_event_id: number) =>
      alice.get('/events', { queue_id: queueId, last_event_id })
    const [one, two] = (await poll(start)).body.events as { id: number }[]
    await poll(two?.id ?? 0)

    for (const lastEventId of [one?.id ?? 0, start, -1, -2, -1_000_000]) {
      assertRefused(
        await poll(lastEventId),
        `An event newer than ${lastEventId} has already been pruned!`,
      )
    }

    assert.deepEqual(contents(await poll(two?.id ?? 0)), ['three'])
  })

  it('refuses a last_event_id after the newest event', async () => {
    const { queueId, start } = await registered(at)

    for (const lastEventId of [start + 1_000_000_000, Number.MAX_SAFE_INTEGER]) {
      const params = { queue_id: queueId, last_event_id: lastEventId }
      assertBadQueue(await at.people.alice.get('/events', params), queueId)
    }

    const answer = await at.people.alice.get('/events', { queue_id: queueId, dont_block: true })
    assert.equal(answer.status, 200, 'an invalid last_event_id does not affect the queue')
  })

  it('returns the same error for unknown and deleted queues, and those of others', async () => {
    const { alice, bob } = at.people
    const deleted = await registered(at)
    await alice.delete('/events', { queue_id: deleted.queueId })
    const { queueId: bobs } = await bob.listen()
    const foreign = await at.host.organization()
    const { queueId: elsewhere } = await foreign.people.alice.listen()
    const ofOtherEpoch = bobs.replace(/^[^-]*/, 'AAAAAAAA')

    for (const queueId of ['', 'x', deleted.queueId, bobs, elsewhere, ofOtherEpoch]) {
      const params = { queue_id: queueId, last_event_id: -1, dont_block: true }
      assertBadQueue(await alice.get('/events', params), queueId)
    }
    assert.deepEqual(await (await bob.listen()).poll({ dont_block: true }), [])
  })

  it('checks the type of last_event_id before the queue id', async () => {
    const answer = await at.people.alice.get('/events', { queue_id: 'x', last_event_id: '"1"' })

    assert.equal(answer.body.msg, 'last_event_id is not an integer')
  })

  it('returns at once with dont_block, and lists unknown parameters', async () => {
    const { queueId, start } = await registered(at)

    const answer = await at.people.alice.get('/events', {
      queue_id: queueId,
      last_event_id: start,
      dont_block: true,
      client: 'tests',
      zebra: '1',
      apple: '2',
    })

    assert.deepEqual(answer.body, {
      result: 'success',
      msg: '',
      events: [],
      queue_id: queueId,
      ignored_parameters_unsupported: ['apple', 'zebra'],
    })
  })

  it('refuses dont_block that is not a boolean', async () => {
    const { queueId } = await registered(at)

    const answer = await at.people.alice.get('/events', { queue_id: queueId, dont_block: 1 })

    assert.equal(answer.status, 400)
    assert.equal(answer.body.msg, 'dont_block is not a boolean')
  })

  it('waits for an event, and then returns neither ignored parameters nor the remaining rate limit', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    const params = { queue_id: queueId, last_event_id: start, zebra: '1' }

    const poll = await park(alice, at.clock, params)
    await bob.whisper([alice], 'woken')
    const answer = await poll.answer

    assert.deepEqual(contents(answer), ['woken'])
    assert.deepEqual(Object.keys(answer.body).sort(), ['events', 'msg', 'queue_id', 'result'])
    assert.equal(answer.headers['x-ratelimit-remaining'], undefined)
  })

  it('is not woken by messages that do not match the narrow', async () => {
    const { alice, bob } = at.people
    const { channels } = at
    const { queueId, start } = await registered(at, {
      narrow: [
        ['channel', 'DESIGN'],
        ['topic', 'Colours'],
      ],
    })

    const poll = await park(alice, at.clock, { queue_id: queueId, last_event_id: start })
    await bob.whisper([alice], 'direct')
    await bob.say(channels.design, 'shapes', 'other topic')
    await bob.say(channels.general, 'colours', 'other channel')
    await bob.say(channels.design, 'colours', 'blue')

    const answer = await within('a message in the topic, ignoring case', poll.answer)
    assert.deepEqual(contents(answer), ['blue'])
  })

  it('returns a heartbeat after 45 to 55 seconds, for any event types', async () => {
    const { alice } = at.people
    const { queueId, start } = await registered(at, { event_types: [] })
    let isAnswered = false

    const poll = await park(alice, at.clock, { queue_id: queueId, last_event_id: start })
    void poll.answer.then(() => (isAnswered = true))
    at.clock.advance(44.9)
    await alice.get('/events', { queue_id: 'x', dont_block: true })
    assert.equal(isAnswered, false)
    at.clock.advance(10.2)
    const { body } = await poll.answer

    const [event, ...more] = body.events as { id: number; type: string }[]
    assert.deepEqual(more, [])
    assert.deepEqual({ ...event, id: 0 }, { type: 'heartbeat', id: 0 })
    assert.ok((event?.id ?? 0) > start)
  })

  it('assigns ids to heartbeats so that later events have higher ids', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    const ids = [start]

    for (const text of ['between', 'heartbeats']) {
      for (let beat = 0; beat < 3; beat += 1) {
        const poll = await park(alice, at.clock, { queue_id: queueId, last_event_id: ids.at(-1) })
        at.clock.advance(55)
        ids.push((await poll.answer).body.events[0].id)
      }
      await bob.whisper([alice], text)
      const answer = await alice.get('/events', { queue_id: queueId, last_event_id: ids.at(-1) })
      assert.deepEqual(contents(answer), [text])
      ids.push(answer.body.events[0].id)
    }

    const increasing = [...new Set(ids)].sort((a, b) => a - b)
    assert.deepEqual(ids, increasing)
  })

  it('ends an earlier poll without events when a later one arrives', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    const params = { queue_id: queueId, last_event_id: start }

    const earlier = await park(alice, at.clock, params)
    const later = await park(alice, at.clock, params)
    const answer = await earlier.answer
    await bob.whisper([alice], 'for the later one')

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { result: 'success', msg: '', events: [], queue_id: queueId })
    assert.deepEqual(contents(await later.answer), ['for the later one'])
  })

  it('ends an earlier poll when one with dont_block arrives', async () => {
    const { alice } = at.people
    const { queueId, start } = await registered(at)
    const params = { queue_id: queueId, last_event_id: start }

    const earlier = await park(alice, at.clock, params)
    await alice.get('/events', { ...params, dont_block: true })

    assert.deepEqual((await earlier.answer).body.events, [])
  })

  it('does not end a waiting poll when another one is refused', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)

    const waiting = await park(alice, at.clock, { queue_id: queueId, last_event_id: start })
    const ahead = { queue_id: queueId, last_event_id: start + 1_000_000_000 }
    assertBadQueue(await alice.get('/events', ahead), queueId)
    assertBadQueue(await bob.get('/events', { queue_id: queueId }), queueId)
    await bob.whisper([alice], 'still here')

    assert.deepEqual(contents(await waiting.answer), ['still here'])
  })

  it('cancels a poll whose client has disconnected, and keeps the events', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    const isParked = at.clock.next('set', 45, 55)
    const isReleased = heartbeatCancelled(at.clock)

    const request = alice.open('/events', { queue_id: queueId, last_event_id: start })
    await isParked
    request.destroy()
    await isReleased
    await bob.whisper([alice], 'kept')

    const answer = await alice.get('/events', { queue_id: queueId, last_event_id: start })
    assert.deepEqual(contents(answer), ['kept'])
  })

  it('returns message contents in the format that each queue requested', async () => {
    const { alice, bob } = at.people
    const forms = await Promise.all(
      [true, false].map((apply_markdown) => registered(at, { apply_markdown })),
    )

    await bob.whisper([alice], 'some **bold** text')
    const answers = await Promise.all(
      forms.map(({ queueId, start }) =>
        alice.get('/events', { queue_id: queueId, last_event_id: start }),
      ),
    )

    assert.deepEqual(answers.map(contents), [
      ['<p>some <strong>bold</strong> text</p>'],
      ['some **bold** text'],
    ])
    const [html, source] = answers.map(({ body }) => body.events[0])
    assert.equal(html.message.content_type, 'text/html')
    assert.equal(source.message.content_type, 'text/x-markdown')
    assert.equal(html.id, source.id)
  })

  it('returns each event of a busy organization once and in order', async () => {
    const { alice, bob, carol } = at.people
    const { queueId, start } = await registered(at)
    const total = 60
    const received: string[] = []

    const sending = Promise.all(
      [bob, carol].map(async (sender) => {
        for (let index = 0; index < total / 2; index += 1) {
          await sender.whisper([alice], `${sender.name} ${index}`)
        }
      }),
    )
    for (let last = start; received.length < total;) {
      const { body } = await alice.get('/events', { queue_id: queueId, last_event_id: last })
      for (const { id, message } of body.events) {
        assert.ok(id > last)
        last = id
        received.push(message.content)
      }
    }
    await sending

    for (const name of ['bob', 'carol']) {
      const expected = Array.from({ length: total / 2 }, (_, index) => `${name} ${index}`)
      assert.deepEqual(
        received.filter((text) => text.startsWith(name)),
        expected,
      )
    }
    assert.equal(received.length, total)
  })

  it('refuses requests without credentials and from deactivated users', async () => {
    const { queueId } = await registered(at)

    const anonymous = await at.nobody.get('/events', { queue_id: queueId })
    const deactivated = await at.people.dora.get('/events', { queue_id: queueId })

    assert.equal(anonymous.status, 401)
    assert.equal(anonymous.body.code, 'UNAUTHORIZED')
    assert.equal(deactivated.status, 401)
    assert.equal(deactivated.body.code, 'USER_DEACTIVATED')
  })

  it('ignores parameters in the body', async () => {
    const { queueId, start } = await registered(at)

    const answer = await at.people.alice.send(
      'GET',
      `/events?queue_id=${queueId}&last_event_id=${start}&dont_block=true`,
      'queue_id=other&zebra=1',
    )

    assert.deepEqual(answer.body, { result: 'success', msg: '', events: [], queue_id: queueId })
  })
})
