import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { createChatServer } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import {
  databaseColumns,
  reportSkippedColumns,
  sqliteColumns,
  type DatabaseColumn,
} from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { refuseChanges } from '../support/refusing-trigger.js'

/** `health()` uses the result of its last write for five seconds. */
const probeSeconds = 6

const chatOn = (filename: string) =>
  createChatServer({
    database: {
      client: process.env.CHAT_TEST_SQLITE_DRIVER || 'sqlite3',
      connection: { filename },
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })

describe('a file that cannot be used at the start', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chat-unusable-'))
  })
  after(() => rm(folder, { recursive: true }))

  const startOn = async (filename: string): Promise<string> => {
    const chat = chatOn(filename)
    try {
      await chat.start()
      return 'started'
    } catch (error) {
      return String(error)
    } finally {
      await chat.close()
    }
  }

  it('is named, with the remedy, if its folder does not exist', async () => {
    const filename = join(folder, 'missing', 'chat.sqlite')
    const problem = await startOn(filename)
    assert.ok(problem.includes(filename), problem)
    assert.match(problem, /cannot be used: it cannot be opened\. Create its folder/)
  })

  it('is named if it is no database', async () => {
    const filename = join(folder, 'text.sqlite')
    await writeFile(filename, 'No database of SQLite. '.repeat(100))
    const problem = await startOn(filename)
    assert.ok(problem.includes(filename), problem)
    assert.match(problem, /not a database of SQLite\. Restore a backup/)
  })

  it('is named if nothing may be written', async (t) => {
    const filename = join(folder, 'read-only.sqlite')
    assert.equal(await startOn(filename), 'started')
    const { isReadOnly, undo } = await makeReadOnly(filename)
    if (!isReadOnly) {
      t.skip('THE ACCOUNT OF THE TESTS CAN WRITE TO EVERY FILE, AND chattr DOES NOT WORK HERE')
      return
    }
    try {
      const problem = await startOn(filename)
      assert.ok(problem.includes(filename), problem)
      assert.match(problem, /cannot be (written|opened)/)
    } finally {
      await undo()
    }
  })
})

/** Root may write to files without the permission, but not to immutable ones. */
async function makeReadOnly(filename: string): Promise<{
  readonly isReadOnly: boolean
  readonly undo: () => Promise<void>
}> {
  await chmod(filename, 0o400)
  const isImmutable = spawnSync('chattr', ['+i', filename]).status === 0
  const isReadOnly = await open(filename, 'r+').then(
    async (file) => {
      await file.close()
      return false
    },
    () => true,
  )
  return {
    isReadOnly,
    undo: async () => {
      if (isImmutable) spawnSync('chattr', ['-i', filename])
      await chmod(filename, 0o600)
    },
  }
}

const [file] = sqliteColumns()

describe('a file that is damaged while a server runs', { skip: file === undefined }, () => {
  const host = new TestHost('koa', file as DatabaseColumn)
  before(() => host.start())
  after(() => host.stop())

  it('is no temporary error, and the server is not ready', async () => {
    const { people } = await host.organization()
    assert.equal((await people.alice.get('/users/me')).status, 200)
    const { filename } = host.databaseConfig.connection as { readonly filename: string }
    const other = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
    await other.raw('PRAGMA wal_checkpoint(TRUNCATE)')
    await other.destroy()
    const opened = await open(filename, 'r+')
    const { size } = await opened.stat()
    await opened.write(Buffer.alloc(size - 4096, 'damaged'), 0, size - 4096, 4096)
    await opened.sync()
    await opened.close()
    host.log.length = 0

    const { status, body } = await people.bob.post('/users/me/presence', { status: 'active' })

    assert.equal(status, 500, JSON.stringify(body))
    assert.equal(body.code, 'INTERNAL_SERVER_ERROR')
    assert.match(host.log.join('\n'), /SQLITE_CORRUPT|malformed/)
    host.clock.jump(probeSeconds)
    const { isReady } = await host.chat.health()
    assert.equal(isReady, false)
  })
})

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`the health of a server whose database does not take writes (${column.title})`, () => {
    const host = new TestHost('express', column)
    let knex: Knex
    before(async () => {
      await host.start()
      knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    const health = async () => {
      host.clock.jump(probeSeconds)
      const { database, isReady, isLive } = await host.chat.health()
      return { database, isReady, isLive }
    }

    it('is not ready until it does again', async () => {
      const change = column.name === 'sqlite' ? 'UPDATE' : 'INSERT'
      assert.deepEqual(await health(), { database: 'up', isReady: true, isLive: true })

      const end = await refuseChanges(knex, { name: 'full_disk', table: 'chat_migrations', change })
      const during = await health()
      await end()

      assert.deepEqual(during, { database: 'unwritable', isReady: false, isLive: true })
      assert.deepEqual(await health(), { database: 'up', isReady: true, isLive: true })
      assert.deepEqual(await knex('chat_migrations').where('name', 'like', '@%'), [])
    })

    it('is ready while another connection has a lock', async () => {
      await knex.transaction(async (tx) => {
        await tx('chat_migrations').update({ name: knex.ref('name') })

        const asking = health()
        // It waits for a second.
        await host.clock.next('set', 1)
        host.clock.fire(1)
        assert.deepEqual(await asking, { database: 'up', isReady: true, isLive: true })
      })
    })
  })
}
