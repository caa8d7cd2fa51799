import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'

import { verifyWebhook, type WebhookOption } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until, within } from '../support/waiting.js'
import { WebhookProgram } from '../support/webhook-program.js'
import { startChatProcess } from './chat-process.js'

const secret = 'the secret of this receiver, of 32 or more'
const leaseSeconds = 30

/** Keeps other processes from moving the position until the transaction ends. */
async function lockPosition(knex: Knex): Promise<Knex.Transaction> {
  const trx = await knex.transaction()
  await trx('chat_consumers').where({ name: 'hook' }).update({ created_at_seconds: 0 })
  return trx
}

reportSkippedColumns()
for (const column of databaseColumnsOf('a webhook whose process is killed')) {
  describe(`a webhook whose process is killed (${column.name})`, () => {
    it('is sent again by another process if the answer was not stored, with the same id', async () => {
      const program = await WebhookProgram.start()
      const webhooks: WebhookOption[] = [
        { url: program.url, secret, types: ['message'], name: 'hook', privateHosts: ['127.0.0.1'] },
      ]
      const host = new TestHost('koa', column)
      await host.start()
      // The other process uses the real time.
      host.clock.jump(Date.now() / 1000 - host.clock.seconds)
      const { alice, bob } = (await host.organization()).people
      const { child } = await startChatProcess({ database: host.databaseConfig, webhooks })
      const knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
      program.answers = [{}, { hangs: true }]
      await alice.whisper([bob], 'one')
      await alice.whisper([bob], 'two')
      await program.called(2)

      const lock = await lockPosition(knex)
      const isAnswered = program.answered()
      program.release()
      await within('the process to get the answer', isAnswered)
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await within('the end of the process', isGone)
      await lock.rollback()
      await knex.destroy()
      const other = await host.another('express', { webhooks })
      other.clock.jump(Date.now() / 1000 - other.clock.seconds + leaseSeconds + 1)
      await alice.whisper([bob], 'three')
      await until(
        'the other process',
        () => {
          if (!other.clock.has(15)) other.clock.advance(1)
          return program.calls.length === 4
        },
        { instead: () => [program.calls, other.log] },
      )
      const state = async () => (await other.chat.health()).consumers?.['hook']
      await until('the end of the log', async () => (await state())?.lag === 0)
      const finalState = await state()
      await other.stop()
      await host.stop()
      await program.stop()

      const deliveries = program.calls.map(({ body, headers }) => {
        const signature = headers['parley-signature']
        const delivery = verifyWebhook({
          payload: body,
          signature,
          secret,
          toleranceSeconds: Infinity,
        })
        assert.ok(delivery?.type === 'message')
        return [delivery.event.message.content, delivery.id] as const
      })
      assert.deepEqual(
        deliveries.map(([text]) => text),
        ['one', 'two', 'two', 'three'],
      )
      assert.equal(deliveries[1]?.[1], deliveries[2]?.[1])
      assert.deepEqual(finalState, { lag: 0, parked: 0, missed: 0 })
    })
  })
}
