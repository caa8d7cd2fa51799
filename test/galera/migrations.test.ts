import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { Database, Migrator } from '../../packages/core/src/storage/index.js'
import { migrations } from '../../packages/core/src/resources/tables.js'
import { schemaOf } from '../support/database-schema.js'
import { GaleraCluster, whyWithoutGalera } from './galera-cluster.js'
import type { GaleraNode } from './galera-node.js'

describe('migrations in a cluster', { skip: whyWithoutGalera(), timeout: 800_000 }, () => {
  let cluster: GaleraCluster

  before(async () => {
    cluster = await GaleraCluster.start()
  })
  after(() => cluster.stop())

  const migrateAt = async (node: GaleraNode, name: string): Promise<void> => {
    const database = new Database({ client: 'mysql2', nodes: [node.connection(name)] }, 'chat_')
    try {
      await database.connect()
      await new Migrator(database, migrations).migrate()
    } finally {
      await database.close()
    }
  }
  const withKnex = async <Result>(
    name: string,
    work: (knex: Knex) => Promise<Result>,
  ): Promise<Result> => {
    const connection = cluster.nodes[2]?.connection(name) as Knex.MySql2ConnectionConfig
    const knex = createKnex({ client: 'mysql2', connection, pool: { min: 1, max: 1 } })
    try {
      // Another node has migrated: reads wait for what it has committed.
      await knex.raw('SET SESSION wsrep_sync_wait = 1')
      return await work(knex)
    } finally {
      await knex.destroy()
    }
  }

  it('are applied once by processes that start at all nodes at the same time', async () => {
    const [alone, together] = [await cluster.createDatabase(), await cluster.createDatabase()]
    await migrateAt(cluster.nodes[0] as GaleraNode, alone)

    await Promise.all(cluster.nodes.map((node) => migrateAt(node, together)))

    const expected = await withKnex(alone, schemaOf)
    await withKnex(together, async (knex) => {
      assert.deepEqual(await schemaOf(knex), expected)
      assert.deepEqual(
        (await knex('chat_migrations').orderBy('name').pluck('name')) as unknown,
        migrations.map(({ name }) => name),
      )
      assert.deepEqual(await knex('chat_migration_progress').select(), [], 'the lock is released')
    })
  })

  it('are continued when the process that held the lock has ended', async () => {
    const name = await cluster.createDatabase()
    await withKnex(name, async (knex) => {
      await knex.schema.createTable('chat_migration_progress', (t) => {
        t.string('name', 100).primary()
        t.integer('statements_begun').notNullable()
      })
      await knex('chat_migration_progress').insert({ name: '@lock', statements_begun: 7 })
    })

    await migrateAt(cluster.nodes[0] as GaleraNode, name)

    await withKnex(name, async (knex) => {
      assert.equal(
        ((await knex('chat_migrations').pluck('name')) as string[]).length,
        migrations.length,
      )
      assert.deepEqual(await knex('chat_migration_progress').select(), [])
    })
  })
})
