import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import { createChatServer, type Logger } from '@parley/core'
import createKnex from 'knex'

import { FakeClock } from '../support/fake-clock.js'
import { compiledProgram } from '../support/programs.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Loads its driver as an application does. */
function loadBetterSqlite(): void {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (filename: string) => {
    close(): void
  }
  new Database(':memory:').close()
}

describe('a process with two SQLite libraries', () => {
  let folder: string
  let connection: { filename: string }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-libraries-'))
    connection = { filename: join(folder, 'product.sqlite') }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('logs an error if the second one is loaded after the start, and fails to start if before', async () => {
    const lines: string[] = []
    const logger: Logger = {
      debug() {},
      info() {},
      warn() {},
      error: (line) => lines.push(line),
    }
    const database = { client: 'sqlite3', connection }
    const clock = new FakeClock()
    const early = createChatServer({ database, clock, logger })
    await early.start()

    const isNext = clock.next('set', 120)
    clock.fire(120)
    await isNext
    const before = [...lines]
    loadBetterSqlite()
    for (let round = 0; round < 2; round += 1) {
      const isOver = clock.next('set', 120)
      clock.fire(120)
      await isOver
    }
    await early.close()
    const late = createChatServer({ database })
    const health = await late.health()
    const starting = late.start()
    const migrating = late.migrate()

    const problem =
      /uses 'sqlite3' for .*product\.sqlite, but .*: .*sqlite3.*\.node.*Set database\.client to the driver that your product uses, and use no other on the same file\. If the others open other files only, set allowOtherSqliteLibraries: true\.$/
    assert.deepEqual(before, [])
    assert.equal(lines.length, 1)
    assert.match(lines[0] as string, problem)
    assert.match(lines[0] as string, /better_sqlite3\.node/)
    assert.equal(health.database, 'down')
    await assert.rejects(starting, { message: problem })
    await assert.rejects(migrating, { message: problem })
    await late.close()
  })

  it('starts if the application has declared that the other one opens other files', async () => {
    loadBetterSqlite()
    const knex = createKnex({ client: 'sqlite3', connection, useNullAsDefault: true })
    const chat = createChatServer({ database: knex, allowOtherSqliteLibraries: true })

    await chat.start()

    assert.equal((await chat.health()).isReady, true)
    await chat.close()
    await knex.destroy()
  })
})

describe('an application and its chat server that use the same SQLite library', () => {
  it('keep their rows when another process opens the file, and when they are killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-libraries-'))
    const filename = join(folder, 'product.sqlite')
    const program = compiledProgram('test/faults/sqlite-product.ts')
    const child = spawn(process.execPath, [program, filename, 'better-sqlite3'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ending = once(child, 'exit')

    let rounds = 0
    for await (const line of createInterface({ input: child.stdout })) {
      rounds = Number(line)
      // In the middle of the next round.
      if (rounds === 5) child.kill('SIGKILL')
    }
    await ending
    const knex = createKnex({
      client: 'better-sqlite3',
      connection: { filename },
      useNullAsDefault: true,
    })
    const integrity = await knex.raw('PRAGMA integrity_check')
    const orders = await knex('orders').where('round', '<=', rounds).select('round', 'number')
    const messages = await knex('chat_messages')
      .where('content', 'like', '%:%')
      .pluck<string[]>('content')
    await knex.destroy()
    await rm(folder, { recursive: true, force: true })

    assert.ok(rounds >= 5, `${rounds} rounds`)
    assert.deepEqual(integrity, [{ integrity_check: 'ok' }])
    assert.equal(orders.length, 200 * rounds)
    for (let round = 1; round <= rounds; round += 1) {
      const sent = messages.filter((content) => content.startsWith(`${round}: `))
      assert.equal(new Set(sent).size, 10, `round ${round}`)
    }
  })
})
