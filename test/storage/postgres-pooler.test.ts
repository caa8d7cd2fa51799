import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer, type ChatServerOptions } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import createKnex, { type Knex } from 'knex'

import { Database } from '../../packages/core/src/storage/database.js'
import { timeLimited } from '../../packages/core/src/storage/dialects/time-limit.js'
import { Product } from '../embedding/product.js'
import { postgresColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { startPooler, whyWithoutPooler } from '../support/pooler.js'
import { until, within } from '../support/waiting.js'

type Pooler = Awaited<ReturnType<typeof startPooler>>
type DatabaseOption = ChatServerOptions['database']

const owner = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
/** For each of three purposes of a process. */
const connections = 3
/** Fewer than two processes have, which share them; more than their transactions need. */
const poolSize = 14

/** Refused by `start()` and by `migrate()`. */
async function assertRefused(database: DatabaseOption, problem: RegExp): Promise<void> {
  const chat = createChatServer({ database })
  await assert.rejects(chat.start(), problem)
  await assert.rejects(chat.migrate(), problem)
  await chat.close()
}

reportSkippedColumns()
for (const column of postgresColumns()) {
  describe(`PgBouncer (${column.title})`, { skip: whyWithoutPooler }, () => {
    it('in transaction mode is refused before anything is created', async (t) => {
      const { config, direct, stop } = await startPooler(column, 'transaction')
      t.after(stop)

      await assertRefused(config, /database\.direct too, or set pool_mode = session/)

      const knex = createKnex(direct)
      const tables = await knex('pg_tables').where({ schemaname: 'public' })
      await knex.destroy()
      assert.deepEqual(tables, [])
    })

    it('in transaction mode is not read as a replica', async (t) => {
      const { config, direct, stop } = await startPooler(column, 'transaction')
      t.after(stop)
      const warnings: { text: string; reason: string }[] = []
      const logger = {
        debug() {},
        info() {},
        warn: (text: string, { err }: { err?: unknown } = {}) =>
          void warnings.push({ text, reason: String(err) }),
        error() {},
      }
      const chat = createChatServer({ database: direct, readReplica: config, logger })
      t.after(() => chat.close())
      await chat.start()
      await chat.organizations.create({ name: 'Replicated', owner })
      const { members } = await chat.as({ externalId: owner.externalId }).api.getUsers()
      const { readReplica } = await chat.health()

      assert.equal(members.length > 0, true)
      assert.equal(readReplica, 'down')
      const [warning] = warnings.filter(({ text }) => text.includes('replica'))
      assert.match(warning?.reason ?? '', /readReplica is behind a pooler.*database\.direct/)
    })

    it('in session mode is like a server', async (t) => {
      const { config, stop } = await startPooler(column, 'session')
      t.after(stop)
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

  describe(
    `PgBouncer in transaction mode, with database.direct (${column.title})`,
    { skip: whyWithoutPooler },
    () => {
      let pooler: Pooler
      let database: Knex.Config & { client: 'pg'; direct: object }
      before(async () => {
        pooler = await startPooler(column, 'transaction', poolSize)
        const direct = pooler.direct.connection as object
        database = { ...pooler.config, client: 'pg', direct, pool: { min: 0, max: connections } }
      })
      after(() => pooler.stop())

      it('is refused if that is the pooler too', async () => {
        const { connection } = pooler.config
        await assertRefused(
          { ...database, direct: connection },
          /database\.direct is behind a pooler/,
        )
      })

      it('is refused if that is another database, and nothing is created there', async () => {
        const other = await column.create()
        const { connection } = other.config
        await assertRefused(
          { ...database, direct: connection as object },
          /database\.direct is another server, database or schema/,
        )

        const knex = createKnex(other.config)
        const tables = await knex('pg_tables').where({ schemaname: 'public' })
        await knex.destroy()
        await other.drop()
        assert.deepEqual(tables, [])
      })

      it('is refused with settings of sessions, and for other databases', () => {
        const create = (option: object) => () =>
          createChatServer({ database: option as DatabaseOption })
        const { direct } = database

        assert.throws(create({ ...database, searchPath: 'chat' }), /searchPath cannot be used with/)
        assert.throws(
          create({ ...database, pool: { afterCreate() {} } }),
          /pool\.afterCreate cannot be used with database\.direct.*ALTER ROLE/,
        )
        assert.throws(create({ ...database, direct: 7 }), /direct must be an address or an object/)
        for (const client of ['mysql2', 'sqlite3']) {
          assert.throws(create({ client, connection: {}, direct }), /is for the client 'pg' only/)
        }
      })

      it('limits a statement for itself, in transactions and outside', async () => {
        const pools = new Database(database, '')
        const slow = timeLimited('SELECT pg_sleep(60)', 100)
        const isLate = (error: unknown): boolean => pools.dialect.isInterrupted(error)
        const timeouts: unknown[] = []
        const note = async (executor: Knex): Promise<void> => {
          timeouts.push((await executor.raw('SHOW statement_timeout')).rows[0].statement_timeout)
        }

        const jit = await pools.reader.raw(timeLimited("SELECT current_setting('jit') AS jit"))
        await assert.rejects(pools.reader.raw(slow), isLate)
        await note(pools.reader)
        await pools.snapshot(0, async ({ executor }) => {
          await executor.raw(timeLimited('SELECT 1', 100))
          await note(executor)
        })
        await assert.rejects(
          pools.snapshot(0, ({ executor }) => executor.raw(slow)),
          isLate,
        )
        await note(pools.reader)
        await pools.close()

        assert.deepEqual(timeouts, ['0', '0', '0'])
        assert.deepEqual(jit.rows, [{ jit: 'off' }])
      })

      describe('serves two processes', () => {
        const endings: (() => unknown)[] = []
        const logged: string[] = []
        after(async () => {
          for (const end of endings.toReversed()) await end()
        })
        /** A server that never polls its log, because its clock does not move. */
        const started = async () => {
          const chat: ChatServer = createChatServer({
            database,
            secret: 'the secret of both processes of a product',
            baseUrl: 'https://chat.example',
            rateLimits: 'off',
            clock: new FakeClock(),
            logger: {
              debug() {},
              info() {},
              warn: (text: string) => void logged.push(text),
              error: (text: string) => void logged.push(text),
            },
          })
          endings.push(() => chat.close())
          await chat.start()
          const product = await Product.listen(express().use(createChatMiddleware(chat)))
          endings.push(() => product[Symbol.asyncDispose]())
          return { chat, ...product.cast() }
        }

        it('which migrate together, tell each other of messages, and leave sessions as they were', async () => {
          const [one, two] = await Promise.all([started(), started()])
          await one.chat.organizations.load(one.file)
          const { alice, bob } = one.people
          for (const { chat } of [one, two]) {
            await until('the bus', async () => (await chat.health()).bus === 'up')
          }
          const feed = await two.people.bob.listen({ event_types: ['message'] })
          const contents = Array.from({ length: 30 }, (_, index) => `word${index} hi`)

          const received = feed.until('the last', ({ message }) => message?.content === 'last')
          await Promise.all(
            contents.map((content, index) =>
              (index % 2 === 0 ? one : two).people.alice.whisper([bob], content),
            ),
          )
          await alice.whisper([bob], 'last')
          const events = await within('the messages', received)
          // Often enough for names of statements, if there were any.
          for (let count = 0; count < 10; count += 1) {
            const found = await two.people.bob.get('/messages', {
              anchor: 'newest',
              num_before: 100,
              num_after: 0,
              narrow: [{ operator: 'search', operand: 'hi' }],
            })
            assert.equal(found.body.messages.length, contents.length, found.text)
            assert.equal((await bob.get('/users')).status, 200)
            assert.equal((await bob.post('/register')).status, 200)
          }

          const seen = events.map(({ message }) => String(message?.content))
          assert.deepEqual(new Set(seen), new Set([...contents, 'last']))
          assert.equal(seen.length, contents.length + 1)
          assert.deepEqual(logged, [])
          for (const settings of await settingsOfSessions(pooler.config)) {
            assert.deepEqual(settings, untouched)
          }
        })
      })
    },
  )
}

const untouched = { lock_timeout: '0', statement_timeout: '0', idle: '0', jit: 'on', names: 0 }

/** What the sessions of the pooler have, all of which are in use at the same time. */
async function settingsOfSessions(config: Knex.Config): Promise<unknown[]> {
  const knex = createKnex({ ...config, pool: { min: 0, max: poolSize } })
  const transactions = await Promise.all(Array.from({ length: poolSize }, () => knex.transaction()))
  const settings = await Promise.all(
    transactions.map(async (trx) => {
      const { rows } = await trx.raw(
        `SELECT current_setting('lock_timeout') AS lock_timeout,
           current_setting('statement_timeout') AS statement_timeout,
           current_setting('idle_in_transaction_session_timeout') AS idle,
           current_setting('jit') AS jit,
           (SELECT COUNT(*)::int FROM pg_prepared_statements) AS names`,
      )
      return { ...rows[0] } as unknown
    }),
  )
  await Promise.all(transactions.map((trx) => trx.rollback()))
  await knex.destroy()
  return settings
}
