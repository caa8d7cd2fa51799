import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import type { CallOptions, UserApi } from '@parley/core'
import type { ExecutorResult, TransactionExecutor } from '@parley/core/transactions'
import createKnex, { type Knex } from 'knex'
import { createConnection } from 'mysql2'
import { Client as PostgresClient } from 'pg'

import type { Cast } from '../support/cast.js'
import {
  allDatabaseColumns,
  reportSkippedColumns,
  type DatabaseColumn,
  type TestDatabase,
} from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { productsOn, type OrderProduct } from './order-products.js'

reportSkippedColumns()

/** A product with the driver of the chat alone. */
const openProduct = async (column: DatabaseColumn, config: Knex.Config): Promise<OrderProduct> => {
  const [open] = Object.values(productsOn(column))
  assert.ok(open !== undefined)
  const knex = createKnex(config)
  await knex.schema.dropTableIfExists('orders')
  await knex.schema.createTable('orders', (table) => {
    table.increments('id')
    table.text('item')
  })
  await knex.destroy()
  return open(config)
}

for (const column of allDatabaseColumns()) {
  describe(`a transaction that the chat cannot join (${column.title})`, () => {
    const host = new TestHost('express', column)
    let cast: Cast
    let alice: UserApi
    let product: OrderProduct

    before(async () => {
      await host.start()
      cast = await host.organization()
      alice = host.chat.as({ userId: cast.people.alice.id, organization: cast.subdomain })
      product = await openProduct(column, host.databaseConfig)
    })
    after(async () => {
      await product.close()
      await host.stop()
    })

    const send = (within: CallOptions['within']) =>
      alice.api.sendMessage(
        { type: 'channel', to: cast.channels.design, topic: 'orders', content: 'x' },
        { within },
      )
    const refused = async (
      place: (announce: (within: TransactionExecutor) => Promise<unknown>) => Promise<void>,
      problem: RegExp,
    ): Promise<void> => {
      await place(async (within) => {
        await assert.rejects(send(within), problem)
      })
      await cast.people.alice.say(cast.channels.design, 'x', 'the chat goes on')
    }
    const inOrder =
      (change: (within: TransactionExecutor) => TransactionExecutor) =>
      (announce: (within: TransactionExecutor) => Promise<unknown>) =>
        product.placeOrder('tea', (within) => announce(change(within)))

    it('is refused if it is of another database', async () => {
      for (const mayHaveTables of [false, true]) {
        const other: TestDatabase = await column.create({ mayHaveTables })
        const elsewhere = await openProduct(column, other.config)

        await refused(
          (announce) => elsewhere.placeOrder('tea', announce),
          /^TypeError: within: the transaction is not one of the chat's database\. Begin it/,
        )

        await elsewhere.close()
        await other.drop()
      }
    })

    it('is refused if it is read-only', async () => {
      const [statement, undo] = readOnly[column.name]

      await product.placeOrder('tea', async (within) => {
        await within.query(statement, [])
        await assert.rejects(
          send(within),
          /^TypeError: within: the transaction is read-only\. Begin one that may write/,
        )
        await within.query(undo, [])
      })
    })

    // Elsewhere such a transaction stays open, and the chat asks for the numbers of rows.
    if (column.name === 'postgres') {
      it('is refused if one of its statements has failed', async () => {
        const placing = product.placeOrder('tea', async (within) => {
          await assert.rejects(within.query('SELECT 1 / 0', []), { code: '22012' })
          await send(within)
        })

        await assert.rejects(
          placing,
          /^TypeError: within: a statement of the transaction has failed, so .* rolled back/,
        )
        const knex = createKnex(host.databaseConfig)
        const failed = await knex.transaction()
        await assert.rejects(failed.raw('SELECT 1 / 0'), { code: '22012' })
        await assert.rejects(
          send(failed),
          /^TypeError: within: a statement of the transaction has failed, so .* rolled back/,
        )
        await failed.rollback()
        await knex.destroy()
      })

      it('is refused if its executor does not count', async () => {
        const sparse = (within: TransactionExecutor): TransactionExecutor => ({
          query: async (sql, parameters) => ({ rows: (await within.query(sql, parameters)).rows }),
        })

        await refused(inOrder(sparse), /on PostgreSQL, query\(\) must resolve to .*affectedRows/)
      })
    }

    const shapes: Record<
      string,
      readonly [answer: (result: ExecutorResult) => unknown, problem: RegExp]
    > = {
      'rows alone': [({ rows }) => rows, /query\(\) must resolve to \{ rows \}/],
      nothing: [() => undefined, /query\(\) must resolve to \{ rows \}/],
      'rows without names': [
        ({ rows }) => ({ rows: rows.map(Object.values) }),
        /query\(\) must resolve to \{ rows \}/,
      ],
      'other names': [
        ({ rows }) => ({
          rows: rows.map((row) => withNames(row, (name) => name.replace('_', ''))),
        }),
        /rows with the names of the columns in the statement/,
      ],
      'numbers as strings': [
        ({ rows }) => ({ rows: rows.map((row) => withValues(row, String)) }),
        /rows whose whole numbers are numbers or bigints/,
      ],
    }
    for (const [name, [answer, problem]] of Object.entries(shapes)) {
      it(`is refused if its executor answers with ${name}`, async () => {
        const changed = (within: TransactionExecutor): TransactionExecutor => ({
          query: async (sql, parameters) =>
            answer(await within.query(sql, parameters)) as ExecutorResult,
        })

        await refused(inOrder(changed), problem)
      })
    }

    it('is joined if its executor leaves the numbers to the chat, and has bigints', async () => {
      const sparse = (within: TransactionExecutor): TransactionExecutor => ({
        query: async (sql, parameters) => {
          const { rows, affectedRows } = await within.query(sql, parameters)
          const numbers = column.name === 'postgres' ? { affectedRows } : {}
          return { rows: rows.map((row) => withValues(row, toBigint)), ...numbers }
        },
      })
      let id = 0

      await product.placeOrder('tea', async (within) => {
        ;({ id } = await send(sparse(within)))
      })

      assert.equal((await cast.people.alice.get(`/messages/${id}`)).status, 200)
    })

    it('is refused if Knex has ended it', async () => {
      const knex = createKnex(host.databaseConfig)
      const ended = await knex.transaction()
      await ended.commit()

      await assert.rejects(send(ended), /^TypeError: within: no transaction is open/)
      await knex.destroy()
    })

    const skip = column.name === 'sqlite' ? 'a second transaction cannot begin' : false
    it('is refused if Knex is laid over the connection of another one', { skip }, async () => {
      const { client = '' } = host.databaseConfig
      const connection = await beginOn(host.databaseConfig)
      const knex = createKnex({ client })
      const laidOver = await knex.transaction({ connection } as Knex.TransactionConfig)

      await assert.rejects(
        send(laidOver),
        /^TypeError: within: is a transaction of Knex on a connection of another library.*mysql2Transaction/,
      )
      void connection.end()
      await once(connection, 'end')
    })
  })
}

/** A connection of the driver, on which a transaction has begun. */
async function beginOn({ client, connection }: Knex.Config) {
  if (client === 'pg') {
    const postgres = new PostgresClient(connection as object)
    await postgres.connect()
    await postgres.query('BEGIN')
    return postgres
  }
  const mysql = createConnection(connection as object)
  await once(mysql, 'connect')
  await mysql.promise().beginTransaction()
  return mysql
}

/** Statements that make a transaction read-only, and undo that. */
const readOnly: Readonly<Record<DatabaseColumn['name'], readonly [string, string]>> = {
  sqlite: ['PRAGMA query_only = ON', 'PRAGMA query_only = OFF'],
  mysql: ['START TRANSACTION READ ONLY', 'ROLLBACK'],
  postgres: ['SET TRANSACTION READ ONLY', 'SELECT 1'],
}

function withNames(row: object, change: (name: string) => string): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [change(name), value]))
}

function withValues(row: object, change: (value: number) => unknown): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && Number.isInteger(value) ? change(value) : value,
    ]),
  )
}

function toBigint(value: number): bigint {
  return BigInt(value)
}
