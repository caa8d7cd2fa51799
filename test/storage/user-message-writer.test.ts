import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { until } from '../support/waiting.js'
import { query, writtenFor } from '../support/written-messages.js'

const newest = { anchor: 'newest', num_before: 5, num_after: 0 }

everyDatabase('user messages that are not written at once, of users who call', 'express', (at) => {
  it('are written in the background, in several transactions, after a long absence', async () => {
    const { alice, mona } = at.people
    const { general } = at.channels
    const id = await alice.say(general, 'many', 'the first')
    const copies = 12_000
    await query(at, async (knex) => {
      const row = await knex('chat_messages').where({ id }).first()
      const rows = Array.from({ length: copies }, (_, index) => ({ ...row, id: id + 1 + index }))
      await knex.batchInsert('chat_messages', rows, 500)
    })

    // It looks at users who call for the first time.
    const other = await at.host.another('koa')
    const statements = await statementsOf(at.host, async () => {
      const { body } = await other.clientOf(mona).get('/messages', newest)
      assert.deepEqual(body.messages.at(-1).flags, [])
      assert.ok(!(await writtenFor(at, id)).includes(mona.id))
      await until('the newest to be written', async () => {
        other.clock.fire(1)
        return (await writtenFor(at, id + copies)).includes(mona.id)
      })
    })
    await other.stop()

    const ofMona = `user_id IN (${mona.id})`
    const inserts = statements.filter(
      ({ sql }) => /^INSERT INTO .chat_user_messages/i.test(sql) && sql.includes(ofMona),
    )
    // Of what has moved, and of what is left at the end, too.
    assert.ok(inserts.length >= 3 && inserts.length < 14, `${inserts.length} statements`)
    const [count] = await query(at, (knex) =>
      knex('chat_user_messages')
        .where({ user_id: mona.id })
        .where('message_id', '>=', id)
        .count<{ total: number | string }[]>({ total: '*' }),
    )
    assert.equal(Number(count?.total), copies + 1)
    assert.equal((await mona.post('/mark_all_as_read')).status, 200)
  })

  it('are written in the background after a hundred messages', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    // What was looked at before counts from here.
    await bob.get('/users/me')
    const ids: number[] = []
    for (let count = 0; count < 210; count += 1) {
      ids.push(await alice.say(general, 'busy', `message ${count}`))
    }
    await bob.get('/users/me')

    await until('the first to be written', async () => {
      at.clock.fire(1)
      return (await writtenFor(at, ids[0] ?? 0)).includes(bob.id)
    })
  })
})
