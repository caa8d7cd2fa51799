import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import { everyDatabase } from '../support/host.js'

everyDatabase('a scheduled message that failed', 'express', (at) => {
  it('stores why, without the address of the other user', async () => {
    const { adam, alice, bob } = at.people
    const feed = await alice.listen({ event_types: ['scheduled_messages'] })
    const { body } = await alice.post('/scheduled_messages', {
      type: 'direct',
      to: JSON.stringify([bob.id]),
      content: 'later',
      scheduled_delivery_timestamp: at.clock.seconds + 120,
    })
    const left = await adam.delete(`/users/${bob.id}`)
    assert.equal(left.status, 200, left.text)

    at.clock.advance(180)
    await feed.until('the failure', ({ op }) => op === 'update')

    const knex = createKnex(at.host.databaseConfig)
    const rows: unknown = await knex('chat_scheduled_messages')
      .where({ id: body.scheduled_message_id })
      .select('failure')
    await knex.destroy()
    assert.deepEqual(rows, [{ failure: 'RECIPIENT_INACTIVE' }])
  })
})
