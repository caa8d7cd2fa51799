import assert from 'node:assert/strict'
import { it } from 'node:test'

import { park } from '../support/event-calls.js'
import { everyHost } from '../support/host.js'

everyHost('delete-queue', (at) => {
  it('deletes the queue, and refuses to delete it again', async () => {
    const { alice } = at.people
    const { queueId } = await alice.listen()

    const first = await alice.delete('/events', { queue_id: queueId })
    const second = await alice.delete('/events', { queue_id: queueId })
    const poll = await alice.get('/events', { queue_id: queueId, dont_block: true })

    assert.deepEqual(first.body, { result: 'success', msg: '' })
    for (const answer of [second, poll]) {
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, {
        result: 'error',
        msg: `Bad event queue ID: ${queueId}`,
        code: 'BAD_EVENT_QUEUE_ID',
        queue_id: queueId,
      })
    }
  })

  it('accepts the queue id in the query string', async () => {
    const { alice } = at.people
    const { queueId } = await alice.listen()

    const answer = await alice.send('DELETE', `/events?queue_id=${queueId}`)

    assert.equal(answer.status, 200)
  })

  it('ends a waiting poll without events', async () => {
    const { alice } = at.people
    const { queueId } = await alice.listen()

    const poll = await park(alice, at.clock, { queue_id: queueId })
    await alice.delete('/events', { queue_id: queueId })
    const answer = await poll.answer

    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { result: 'success', msg: '', events: [], queue_id: queueId })
  })

  it('requires a queue id', async () => {
    const answer = await at.people.alice.delete('/events')

    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      result: 'error',
      msg: "Missing 'queue_id' argument",
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'queue_id',
    })
  })

  it('returns the same error for unknown queues and those of others, and does not delete them', async () => {
    const { alice, bob } = at.people
    const { queueId: bobs } = await bob.listen()
    const { queueId: elsewhere } = await (await at.host.organization()).people.alice.listen()

    for (const queueId of ['x', '', bobs, elsewhere]) {
      const answer = await alice.delete('/events', { queue_id: queueId })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.msg, `Bad event queue ID: ${queueId}`)
      assert.equal(answer.body.queue_id, queueId)
    }

    const poll = await bob.get('/events', { queue_id: bobs, dont_block: true })
    assert.equal(poll.status, 200)
  })

  it('returns 401 without credentials', async () => {
    const answer = await at.nobody.delete('/events', { queue_id: 'x' })

    assert.equal(answer.status, 401)
  })
})
