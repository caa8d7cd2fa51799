import assert from 'node:assert/strict'
import { it } from 'node:test'

import {
  assertBadQueue,
  contents,
  forgetOrganizations,
  park,
  registered,
  sweepAfter,
  sweepAlone,
} from '../support/event-calls.js'
import { everyHost } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'

const messages = ['message']

everyHost('get-events', (at) => {
  it('deletes a queue that is not polled within its lifespan, at the next sweep', async () => {
    const { queueId } = await registered(at)
    const longer = await registered(at, { queue_lifespan_secs: 7200 })

    await sweepAfter(at.clock, 590)
    const early = await at.people.alice.get('/events', { queue_id: queueId, dont_block: true })
    await sweepAfter(at.clock, 800)
    const late = await at.people.alice.get('/events', { queue_id: queueId, dont_block: true })

    assert.equal(early.status, 200)
    assertBadQueue(late, queueId)
    await sweepAfter(at.clock, 3600)
    const params = { queue_id: longer.queueId, dont_block: true }
    assert.equal((await at.people.alice.get('/events', params)).status, 200)
    await sweepAfter(at.clock, 7400)
    assertBadQueue(await at.people.alice.get('/events', params), longer.queueId)
  })

  it('keeps a queue with a short lifespan while it is polled often enough', async () => {
    const { alice } = at.people
    const { queueId } = await registered(at, { queue_lifespan_secs: 10 })

    for (let round = 0; round < 6; round += 1) {
      at.clock.jump(9)
      const answer = await alice.get('/events', { queue_id: queueId, dont_block: true })
      assert.equal(answer.status, 200)
      await sweepAfter(at.clock, 60)
    }
    await sweepAfter(at.clock, 120)

    assertBadQueue(await alice.get('/events', { queue_id: queueId, dont_block: true }), queueId)
  })

  it('keeps a queue while a poll waits for events', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at, { queue_lifespan_secs: 1 })

    const poll = await park(alice, at.clock, { queue_id: queueId, last_event_id: start })
    await sweepAlone(at.clock, 1000)
    await bob.whisper([alice], 'still waiting')

    const { body } = await poll.answer
    assert.ok(body.events.length === 1)
  })

  it('limits lifespans to a week, refuses negative ones, and uses the default for 0', async () => {
    const { alice } = at.people
    const week = await registered(at, { queue_lifespan_secs: 100_000_000 })
    const usual = await registered(at, { queue_lifespan_secs: 0 })

    const negative = await alice.post('/register', { queue_lifespan_secs: -1 })
    await sweepAfter(at.clock, 900)
    const { status } = await alice.get('/events', { queue_id: week.queueId, dont_block: true })
    const gone = await alice.get('/events', { queue_id: usual.queueId, dont_block: true })
    await sweepAfter(at.clock, 604_800 + 300)
    const over = await alice.get('/events', { queue_id: week.queueId, dont_block: true })

    assert.equal(negative.body.msg, 'queue_lifespan_secs is too small')
    assert.equal(status, 200)
    assertBadQueue(gone, usual.queueId)
    assertBadQueue(over, week.queueId)
  })

  it('refuses a last_event_id that the log no longer contains, instead of skipping events', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    await bob.whisper([alice], 'old')

    // Always the same last_event_id: the client acknowledges no events.
    for (let minutes = 0; minutes < 30; minutes += 5) {
      await alice.get('/events', { queue_id: queueId, last_event_id: start, dont_block: true })
      await sweepAfter(at.clock, 300)
    }
    await forgetOrganizations(at.clock)

    assertBadQueue(
      await alice.get('/events', { queue_id: queueId, last_event_id: start, dont_block: true }),
      queueId,
    )
  })

  it('keeps every event for a queue with a long lifespan until the lifespan ends', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at, { queue_lifespan_secs: 7200 })
    await bob.whisper([alice], 'old')
    await forgetOrganizations(at.clock)

    // The queue is kept for longer than its lifespan, because its use is recorded with a delay.
    const elapsedSeconds = 16 * 60
    await sweepAfter(at.clock, 7200 + 100 - elapsedSeconds)
    const params = { queue_id: queueId, last_event_id: start, dont_block: true }

    assert.deepEqual(contents(await alice.get('/events', params)), ['old'])
  })

  it('keeps working for an old queue that has received no events', async () => {
    const { alice, bob } = at.people
    const { queueId, start } = await registered(at)
    await bob.whisper([bob], 'for somebody else')

    for (let minutes = 0; minutes < 60; minutes += 5) {
      const params = { queue_id: queueId, last_event_id: start, dont_block: true }
      assert.deepEqual((await alice.get('/events', params)).body.events, [])
      await bob.whisper([bob], `for somebody else ${minutes}`)
      await sweepAfter(at.clock, 300)
    }
    await bob.whisper([alice], 'at last')

    const answer = await alice.get('/events', { queue_id: queueId, last_event_id: start })
    assert.deepEqual(contents(answer), ['at last'])
  })
})

everyHost('get-events', (at) => {
  it('keeps the queue of a deactivated user, who can poll it again after reactivation', async () => {
    const { adam, alice, carol } = at.people
    const { body } = await carol.post('/register', { event_types: messages, fetch_event_types: [] })
    const queue = { queue_id: body.queue_id, last_event_id: body.last_event_id }
    const poll = await park(carol, at.clock, queue)

    await adam.delete(`/users/${carol.id}`)
    const waiting = await poll.answer
    const refused = await carol.get('/events', queue)
    await alice.say(at.channels.general, 'gone', 'not for who is gone')
    await reactivate(at, adam, carol)
    await alice.say(at.channels.general, 'back', 'for who is back')
    const back = await carol.get('/events', queue)

    assert.deepEqual(waiting.body.events, [])
    assert.equal(refused.status, 401)
    assert.equal(refused.body.code, 'USER_DEACTIVATED')
    assert.deepEqual(contents(back), ['for who is back'])
  })

  it('requires the new API key after the key was replaced', async () => {
    const { bob } = at.people
    const { body } = await bob.post('/register', { event_types: messages, fetch_event_types: [] })
    const queue = { queue_id: body.queue_id, last_event_id: body.last_event_id }
    const poll = await park(bob, at.clock, queue)

    const { api_key } = (await bob.post('/users/me/api_key/regenerate')).body
    const waiting = await poll.answer
    const withOldKey = await bob.get('/events', { ...queue, dont_block: true })
    const authorization = `Basic ${btoa(`${bob.email}:${api_key}`)}`
    const withNewKey = await bob.get('/events', { ...queue, dont_block: true }, { authorization })

    assert.deepEqual(waiting.body.events, [])
    assert.equal(withOldKey.body.code, 'INVALID_API_KEY')
    assert.equal(withNewKey.status, 200)
  })

  it('sends the deactivation of the organization to waiting polls, and then returns 401', async () => {
    const { alice } = at.people
    const { body } = await alice.post('/register', { fetch_event_types: [] })
    const queue = { queue_id: body.queue_id, last_event_id: body.last_event_id }
    const poll = await park(alice, at.clock, queue)

    await at.host.chat.organizations.deactivate(at.subdomain)
    const [event] = (await poll.answer).body.events
    const refused = await alice.get('/events', queue)

    assert.equal(event.type, 'realm')
    assert.equal(event.op, 'deactivated')
    assert.equal(refused.status, 401)
    assert.equal(refused.body.code, 'REALM_DEACTIVATED')
  })
})
