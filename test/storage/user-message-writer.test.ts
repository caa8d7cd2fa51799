import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Knex } from 'knex'

import { everyDatabase } from '../support/host.js'
import { stepsOf } from '../support/postgres-plans.js'
import { statementsOf, type Statement } from '../support/statements.js'
import { until } from '../support/waiting.js'
import { copyMessage, query, writtenFor } from '../support/written-messages.js'

const newest = { anchor: 'newest', num_before: 5, num_after: 0 }

/** How many messages a statement reads; undefined on SQLite, which does not count them. */
async function messagesRead(knex: Knex, statement: Statement): Promise<number | undefined> {
  const { driverName } = knex.client as { readonly driverName: string }
  if (driverName === 'pg') {
    const steps = await stepsOf(knex, statement)
    const ofMessages = steps.filter((step) => step['Relation Name'] === 'chat_messages')
    return ofMessages.reduce((sum, step) => sum + step['Actual Rows'] * step['Actual Loops'], 0)
  }
  if (driverName !== 'mysql2') return undefined
  return knex.transaction(async (trx) => {
    await trx.raw('FLUSH STATUS')
    await trx.raw(statement.sql, statement.bindings as never)
    const [counts] = (await trx.raw(`SHOW SESSION STATUS LIKE 'Handler_read%'`)) as unknown as [
      { Value: string }[],
    ]
    return counts.reduce((sum, { Value }) => sum + Number(Value), 0)
  })
}

everyDatabase('user messages that are not written at once, of users who call', 'express', (at) => {
  it('are written in the background, in several transactions, after a long absence', async () => {
    const { alice, mona } = at.people
    const { general } = at.channels
    const id = await alice.say(general, 'many', 'the first')
    const copies = 11_500
    await query(at, async (knex) => {
      await copyMessage(knex, id, copies)
      if (at.host.database.name === 'postgres') await knex.raw('ANALYZE chat_messages')
    })

    const read = await statementsOf(at.host, () => mona.get('/users/me'))
    const newestReceived = read.find(({ sql }) => sql.includes('chat_unwritten_intervals'))
    assert.ok(newestReceived)
    const rows = await query(at, (knex) => messagesRead(knex, newestReceived))
    if (rows !== undefined) assert.ok(rows < 100, `The newest message is found among ${rows}`)

    // It looks at users who call for the first time.
    const other = await at.host.another('koa')
    const statements = await statementsOf(at.host, async () => {
      const { body } = await other.clientOf(mona).get('/messages', newest)
      assert.deepEqual(body.messages.at(-1)!.flags, [])
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
    // A thousand at a time; of what has moved, and of what is left at the end, too.
    assert.ok(inserts.length >= 12 && inserts.length < 30, `${inserts.length} statements`)
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
