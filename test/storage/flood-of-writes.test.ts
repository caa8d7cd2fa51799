import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'

import createKnex, { type Knex } from 'knex'

import type { Answer } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost, type HostCase } from '../support/host.js'
import { until } from '../support/waiting.js'

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`a flood of writes (${database.title})`, () => {
    const host = new TestHost('koa', database)
    let at: HostCase
    let knex: Knex
    before(async () => {
      await host.start()
      at = { ...(await host.organization()), host, clock: host.clock }
      knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    it('is refused before it waits, to whom it is of, and until it is over', async () => {
      const { alice, bob } = at.people
      const channel = at.channels.design
      const message = { type: 'channel', to: channel, topic: 'flood', content: 'x' }
      const others: Promise<Answer>[] = []
      let fromBob: Promise<Answer> | undefined
      await knex.transaction(async (tx) => {
        await tx('chat_organizations').update({ name: knex.ref('name') })
        for (let index = 0; index < 40; index += 1) others.push(alice.post('/messages', message))
        const refused = await until('the first refusal', async () => {
          host.clock.pause(1)
          const next = alice.post('/messages', message)
          const answer = await Promise.race([next, pass(20, undefined)])
          if (answer === undefined) others.push(next)
          return answer
        })
        assert.equal(refused.status, 503, refused.text)
        assert.ok(Number(refused.headers['retry-after']) >= 1)
        assert.equal(refused.body.code, 'SERVICE_UNAVAILABLE')
        assert.equal((await alice.get('/users/me')).status, 200)
        fromBob = bob.post('/messages', message)
        // The refusal would come before the lock is released.
        await bob.get('/users/me')
      })

      assert.equal((await fromBob)?.status, 200)
      // Some of them may have arrived after the first refusal.
      const statuses = (await Promise.all(others)).map(({ status }) => status)
      assert.ok(statuses.filter((status) => status === 200).length > 32, String(statuses))
      assert.equal((await alice.post('/messages', message)).status, 200)
    })
  })
}
