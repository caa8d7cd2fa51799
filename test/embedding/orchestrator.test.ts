import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import type { BusListener, EventBus } from '@parley/core'
import createKnex from 'knex'

import { startPrivateMysql } from '../../scripts/private-mysql.mjs'
import { startPrivatePostgres } from '../../scripts/private-postgres.mjs'
import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import { everyDatabase } from '../support/host.js'
import { startProduct } from './recipes/orchestrator.js'

/** Servers that can be stopped: how to start one, and its first database. */
const servers = {
  mysql: { client: 'mysql2', start: () => startPrivateMysql(), database: 'mysql' },
  postgres: { client: 'pg', start: () => startPrivatePostgres(), database: 'postgres' },
} as const

reportSkippedColumns()
for (const { name } of allDatabaseColumns()) {
  if (name === 'sqlite') continue
  const { client, start, database: existing } = servers[name]
  describe(`the example for orchestrators (${name})`, () => {
    let database: Awaited<ReturnType<typeof start>>
    let product: Awaited<ReturnType<typeof startProduct>>

    before(async () => {
      database = await start()
      const knex = createKnex({ client, connection: `${database.url}${existing}` })
      await knex.raw('CREATE DATABASE probed')
      await knex.destroy()
      const connection = `${database.url}probed`
      product = await startProduct({ database: { client, connection } }, 0)
    })
    after(async () => {
      await product.chat.close()
      product.server.closeAllConnections()
      product.server.close()
      await once(product.server, 'close')
      await database.stop()
    })

    async function probe(path: string): Promise<readonly [number, string]> {
      const { port } = product.server.address() as AddressInfo
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      return [response.status, await response.text()]
    }

    it('stays live and is not ready while the database is away', async () => {
      const before = await probe('/readyz')
      await database.shutDown()
      const [live, away] = [await probe('/livez'), await probe('/readyz')]
      await database.startAgain()
      const back = await probe('/readyz')

      const ready = [200, JSON.stringify({ state: 'started', database: 'up', lag: 0 })]
      assert.deepEqual(before, ready)
      assert.deepEqual(live, [200, 'OK'])
      assert.equal(away[0], 503)
      assert.match(away[1], /"database":"down"/)
      assert.deepEqual(back, ready)
    })

    it('is not ready while it drains, and stays live', async () => {
      await product.chat.drain()

      assert.deepEqual(await probe('/livez'), [200, 'OK'])
      assert.deepEqual(await probe('/readyz'), [
        503,
        JSON.stringify({ state: 'draining', database: 'up', lag: 0 }),
      ])
    })
  })
}

/** A bus within the process that can report that it is not connected. */
class BrokenBus implements EventBus {
  isConnected = true
  readonly #listeners = new Set<BusListener>()

  publishRecords(...records: Parameters<EventBus['publishRecords']>): void {
    for (const listener of this.#listeners) listener.onRecords(...records)
  }

  publishEphemeral(): void {}

  subscribe(listener: BusListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {}
}

const bus = new BrokenBus()

everyDatabase(
  'the health of the bus',
  'express',
  (at) => {
    it('is down while the bus says that it is not connected', async () => {
      const { chat } = at.host

      const before = await chat.health()
      bus.isConnected = false
      const without = await chat.health()
      bus.isConnected = true
      const after = await chat.health()

      assert.deepEqual([before.bus, without.bus, after.bus], ['up', 'down', 'up'])
      assert.equal(without.isReady, true)
    })

    it('counts overdue work', async () => {
      const { alice, bob } = at.people
      const knex = createKnex(at.host.databaseConfig)
      const inTwoMinutes = at.clock.seconds + 120
      await alice.post('/scheduled_messages', {
        type: 'direct',
        to: [bob.id],
        content: 'later',
        scheduled_delivery_timestamp: inTwoMinutes,
      })

      const early = await at.host.chat.health()
      await knex('chat_scheduled_messages').update({ due_at_seconds: at.clock.seconds - 1 })
      const late = await at.host.chat.health()
      await knex.destroy()

      assert.equal(early.backlogs?.scheduledMessages, 0)
      assert.equal(late.backlogs?.scheduledMessages, 1)
      assert.ok(Number(late.log.entries) > 0)
    })
  },
  { bus },
)
