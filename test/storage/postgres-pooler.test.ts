import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { createChatServer } from '@parley/core'
import createKnex from 'knex'

import { findProgram } from '../../scripts/find-program.mjs'
import { freePort, isListening } from '../../scripts/ports.mjs'
import { postgresColumns, reportSkippedColumns, type DatabaseColumn } from '../support/databases.js'
import { until } from '../support/waiting.js'

const program = findProgram(['pgbouncer'])
const reason = 'PGBOUNCER IS NOT INSTALLED: on Debian, apt-get install pgbouncer'
if (program === undefined && process.env.CI === 'true') throw new Error(reason)

/** Starts PgBouncer before a new database, which the returned configuration names. */
async function pooled(t: TestContext, column: DatabaseColumn, mode: string) {
  const { config, drop } = await column.create()
  t.after(drop)
  const folder = await mkdtemp(join(tmpdir(), 'parley-pooler-'))
  t.after(() => rm(folder, { recursive: true }))
  const { host, port, user, password } = config.connection as Readonly<Record<string, unknown>>
  const own = await freePort()
  const lines = [
    '[databases]',
    `* = host=${host} port=${port} user=${user} ${password === '' ? '' : `password=${password}`}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
    `auth_type = any\npool_mode = ${mode}\ndefault_pool_size = 50`,
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, lines.join('\n'))
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(program ?? '', ['-q', ...identity, file], { stdio: 'ignore' })
  const isOver = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await isOver
  })
  await until('PgBouncer', () => isListening(own))
  return {
    direct: config,
    config: { ...config, connection: { ...(config.connection as object), port: own } },
  }
}

reportSkippedColumns()
for (const column of postgresColumns()) {
  describe(`PgBouncer (${column.title})`, { skip: program === undefined && reason }, () => {
    it('in transaction mode is refused before anything is created', async (t) => {
      const { config, direct } = await pooled(t, column, 'transaction')
      const chat = createChatServer({ database: config })
      await assert.rejects(chat.start(), /pool_mode = session/)
      await assert.rejects(chat.migrate(), /pool_mode = session/)
      await chat.close()

      const knex = createKnex(direct)
      const tables = await knex('pg_tables').where({ schemaname: 'public' })
      await knex.destroy()
      assert.deepEqual(tables, [])
    })

    it('in session mode is like a server', async (t) => {
      const { config } = await pooled(t, column, 'session')
      const chat = createChatServer({ database: config })
      await chat.start()
      await chat.organizations.create({ name: 'Pooled', owner })
      const ada = chat.as({ externalId: owner.externalId })
      const { id } = await ada.api.sendMessage({
        type: 'direct',
        to: [await ada.id()],
        content: 'a',
      })
      await until('the bus', async () => (await chat.health()).bus === 'up')
      const { isReady } = await chat.health()
      await chat.close()

      assert.ok(id > 0)
      assert.equal(isReady, true)
    })
  })
}

const owner = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
