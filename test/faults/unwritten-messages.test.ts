import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import { Client } from '../support/client.js'
import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until, within } from '../support/waiting.js'
import { copyMessage } from '../support/written-messages.js'
import { startChatProcess } from './chat-process.js'

/** Several times as many as are written in one transaction. */
const backlog = 60_000

reportSkippedColumns()
for (const column of databaseColumnsOf(
  'user messages that are written while a process is killed',
)) {
  describe(`user messages that are written while a process is killed (${column.name})`, () => {
    const host = new TestHost('express', column)
    let cast: Cast
    let knex: Knex

    before(async () => {
      await host.start()
      cast = await host.organization()
      knex = createKnex(host.databaseConfig)
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    it('are each written once, and unread', async () => {
      const { alice, bob } = cast.people
      const first = await alice.say(cast.channels.general, 'away', 'the first')
      await copyMessage(knex, first, backlog - 1)
      const written = async (): Promise<number> => {
        const [counted] = await knex('chat_user_messages')
          .where({ user_id: bob.id })
          .where('message_id', '>=', first)
          .count<{ total: number | string }[]>({ total: '*' })
        return Number(counted?.total)
      }

      const { child, origin } = await startChatProcess({ database: host.databaseConfig })
      const elsewhere = new Client({ ...bob.endpoint, origin }, bob.credentials, bob.id, bob.name)
      assert.equal((await elsewhere.get('/users/me')).status, 200)
      await until('some messages to be written', async () => (await written()) > 0)
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await within('the end of the process', isGone)
      const left = await written()
      assert.ok(left < backlog, `${left} were written before the kill`)

      const newest = async (): Promise<unknown> => {
        const narrow = [['is', 'unread']]
        const { body } = await bob.get('/messages', { anchor: 'newest', num_before: 1, narrow })
        return (body.messages as { id: number }[])[0]?.id
      }
      assert.equal(await newest(), first + backlog - 1)
      await until('all messages to be written', async () => {
        // One round ends early while the database has not noticed that the process is gone.
        host.clock.fire(1)
        return (await written()) === backlog
      })

      assert.equal(await newest(), first + backlog - 1)
      const [unread] = await knex('chat_user_messages')
        .where({ user_id: bob.id })
        .where('unread_message_id', '>=', first)
        .count<{ total: number | string }[]>({ total: '*' })
      assert.equal(Number(unread?.total), backlog)
    })
  })
}
