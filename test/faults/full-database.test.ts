import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import createKnex, { type Knex } from 'knex'
import { createConnection } from 'mysql2/promise'

import { findMysqlServer, startPrivateMysql } from '../../scripts/private-mysql.mjs'
import type { Answer } from '../support/client.js'
import {
  databaseColumns,
  existingDatabase,
  sqliteColumns,
  type DatabaseColumn,
} from '../support/databases.js'
import { TestHost } from '../support/host.js'

interface Connection {
  exec(sql: string, done: (error: Error | null) => void): void
}

/** A file of SQLite that has space for a few more messages only. */
async function fullFile(t: TestContext): Promise<DatabaseColumn> {
  const [column] = sqliteColumns() as [DatabaseColumn]
  const host = new TestHost('express', column)
  await host.start()
  t.after(() => host.stop())
  const config = host.databaseConfig
  const knex = createKnex(config)
  const [{ page_count: pages }] = (await knex.raw('PRAGMA page_count')) as [{ page_count: number }]
  await knex.destroy()
  const afterCreate = (connection: Connection, done: (error: Error | null) => void): void => {
    connection.exec(`PRAGMA max_page_count = ${pages + 100}`, done)
  }
  return existingDatabase(column, { ...config, pool: { afterCreate } })
}

/** A server of MariaDB whose tables share files that do not grow. */
async function fullServer(t: TestContext): Promise<DatabaseColumn> {
  const server = await startPrivateMysql({
    options: ['--innodb-file-per-table=0', '--innodb-data-file-path=ibdata1:12M;ibdata2:32M'],
  })
  t.after(() => server.stop())
  const connection = await createConnection(server.url)
  await connection.query('CREATE DATABASE small CHARACTER SET utf8mb4 COLLATE utf8mb4_bin')
  await connection.end()
  const config: Knex.Config = { client: 'mysql2', connection: `${server.url}small` }
  return existingDatabase({ name: 'mysql', title: 'mysql' }, config)
}

const canStart =
  databaseColumns().some(({ name }) => name === 'mysql') && findMysqlServer()?.isMariaDb === true

// docs/operating.md describes what still works.
for (const [name, create] of Object.entries({
  ...(sqliteColumns().length > 0 && { SQLite: fullFile }),
  ...(canStart && { MariaDB: fullServer }),
})) {
  describe(`a full database of ${name}`, () => {
    it('answers what only reads, and refuses with 503 what does not fit', async (t) => {
      const host = new TestHost('express', await create(t))
      await host.start()
      t.after(() => host.stop())
      const { people, channels } = await host.organization()
      const { alice, bob } = people
      const id = await alice.say(channels.general, 'space', 'There is some')
      const content = 'lorem ipsum '.repeat(800)
      const send = (): Promise<Answer> =>
        alice.post('/messages', { type: 'channel', to: channels.general, topic: 'space', content })
      host.log.length = 0

      let refused = await send()
      while (refused.status === 200) refused = await send()

      assert.equal(refused.status, 503, refused.text)
      assert.equal(refused.body.code, 'SERVICE_UNAVAILABLE')
      assert.equal(refused.headers['retry-after'], '1')
      assert.equal(host.log.length, 1, host.log.join('\n'))
      for (const client of [alice, bob]) {
        assert.equal((await client.get(`/messages/${id}`)).status, 200)
        assert.equal((await client.get('/users')).status, 200)
      }
    })
  })
}
