import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { startPrivateMysql } from '../../scripts/private-mysql.mjs'
import { startPrivatePostgres } from '../../scripts/private-postgres.mjs'
import type { Cast } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { allDatabaseColumns, type DatabaseColumn } from '../support/databases.js'
import { park } from '../support/event-calls.js'
import { TestHost } from '../support/host.js'
import { refusedUpgrade } from '../support/socket-client.js'

/** A database that a test can make unavailable. */
interface Outage {
  readonly name: string
  readonly column: DatabaseColumn
  /** Called before the first test. */
  prepare?(): Promise<void>
  begin(host: TestHost): Promise<void>
  end(): Promise<void>
  remove(): Promise<void>
}

function assertUnavailable(answer: Answer): void {
  assert.equal(answer.status, 503)
  assert.deepEqual(answer.body, {
    result: 'error',
    msg: 'The service is temporarily unavailable, please try again',
    code: 'SERVICE_UNAVAILABLE',
  })
  assert.equal(answer.headers['retry-after'], '1')
}

function whisper(from: Client, to: Client, content: string): Promise<Answer> {
  return from.post('/messages', { type: 'direct', to: [to.id], content })
}

/** Servers of a test's own. */
const servers = {
  mysql: {
    client: 'mysql2',
    start: startPrivateMysql,
    existing: 'mysql',
    collation: 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  },
  postgres: { client: 'pg', start: startPrivatePostgres, existing: 'postgres', collation: '' },
} as const

const outages = allDatabaseColumns().map((column) =>
  column.name === 'sqlite' ? lockedFile(column) : stoppedServer(column.name),
)

for (const outage of outages) {
  describe(`an unavailable database: ${outage.name}`, () => {
    let host: TestHost
    let cast: Cast

    before(async () => {
      await outage.prepare?.()
      host = new TestHost('express', outage.column)
      await host.start()
      cast = await host.organization()
    })
    after(async () => {
      await outage.end()
      await host.stop()
      await outage.remove()
    })

    it('returns 503, keeps waiting clients, and recovers without a restart', async () => {
      const { alice, bob } = cast.people
      const register = { event_types: ['message'], fetch_event_types: [] }
      const { body } = await bob.post('/register', register)
      const place = { queue_id: body.queue_id, last_event_id: body.last_event_id }
      const poll = await park(bob, host.clock, place)
      let isAnswered = false
      void poll.answer.then(() => (isAnswered = true))

      await outage.begin(host)
      const refused = await Promise.all([
        whisper(alice, bob, 'too early'),
        alice.post('/register', register),
        refusedUpgrade(alice, register),
      ])
      refused.forEach(assertUnavailable)
      const lines = host.log.filter((line) => line.startsWith('The database is unavailable'))
      assert.equal(lines.length, refused.length, host.log.join('\n'))
      assert.equal(isAnswered, false)
      await outage.end()
      assert.equal((await whisper(alice, bob, 'back')).status, 200)

      const contents = (await poll.answer).body.events.map(
        (event: { message: { content: string } }) => event.message.content,
      )
      assert.deepEqual(contents, ['back'])
      assert.equal((await host.chat.health()).database, 'up')
    })

    it('does not flood the log', async () => {
      host.log.length = 0

      await outage.begin(host)
      for (let poll = 0; poll < 20; poll += 1) {
        const isNext = host.clock.next('set', 0.25)
        host.clock.fire(0.25)
        await isNext
      }
      const lines = host.log.length
      await outage.end()

      assert.ok(lines <= 1, host.log.join('\n'))
    })
  })
}

/** Another connection holds the write lock. */
function lockedFile(usual: DatabaseColumn): Outage {
  let other: Knex | undefined
  return {
    name: `${usual.title}, locked`,
    column: usual,
    async begin(host) {
      other = createKnex(host.databaseConfig)
      await other.raw('BEGIN IMMEDIATE')
    },
    async end() {
      await other?.raw('ROLLBACK').catch(() => {})
      await other?.destroy()
      other = undefined
    },
    remove: async () => {},
  }
}

/** The server is shut down, and later started again. */
function stoppedServer(name: keyof typeof servers): Outage {
  const { client, start, existing, collation } = servers[name]
  let server: Awaited<ReturnType<typeof start>>
  let isDown = false
  return {
    name: `${name}, stopped`,
    column: {
      name,
      title: name,
      async create() {
        const knex = createKnex({ client, connection: `${server.url}${existing}` })
        await knex.raw(`CREATE DATABASE outage ${collation}`)
        await knex.destroy()
        const url = `${server.url}outage`
        return { config: { client, connection: url }, url, drop: async () => {} }
      },
    },
    async prepare() {
      server = await start()
    },
    async begin() {
      await server.shutDown()
      isDown = true
    },
    async end() {
      if (isDown) await server.startAgain()
      isDown = false
    },
    remove: () => server.stop(),
  }
}
