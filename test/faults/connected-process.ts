import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createChatServer, type Clock, type ConsumerContext } from '@parley/core'
import { createChatMiddleware } from '@parley/koa'
import { createRedisBus } from '@parley/redis'
import { createClient } from '@redis/client'
import type { Knex } from 'knex'
import Koa from 'koa'

import type { ConnectedProcessOptions } from './connected-processes.js'

/**
 * One of several chat processes on a database and a Redis server. The argument has its options as
 * JSON. It prints what it logs, and what its consumer handles.
 */
const { database, redisPort, clockOffsetSeconds, clockSpeed, clockStart } = JSON.parse(
  process.argv[2] ?? '',
) as ConnectedProcessOptions

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A clock that is wrong, and may be faster than the time. */
const clock: Clock = {
  now: () => clockStart + (Date.now() - clockStart) * clockSpeed + clockOffsetSeconds * 1000,
  setTimeout(callback, delayMilliseconds) {
    const timer = setTimeout(callback, delayMilliseconds / clockSpeed)
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

/** MariaDB ends the transaction of a process that hangs, as docs/scaling.md recommends. */
const endHangingTransactions: Knex.PoolConfig = {
  afterCreate(
    connection: { query(sql: string, done: (error?: Error | null) => void): void },
    done: (error?: Error | null) => void,
  ) {
    connection.query('SET SESSION idle_write_transaction_timeout = 3', done)
  },
}

const log = (level: string) => (message: string) => print(`log ${level}: ${message}`)
const chat = createChatServer({
  database: {
    ...database,
    ...(database.client === 'mysql2' && {
      pool: { ...database.pool, ...endHangingTransactions },
    }),
  },
  clock,
  heartbeatSeconds: 5 * clockSpeed,
  bus: createRedisBus(createClient({ socket: { host: '127.0.0.1', port: redisPort } })),
  rateLimits: 'off',
  logger: { debug() {}, info() {}, warn: log('warn'), error: log('error') },
})
chat.consume(
  'ledger',
  { types: ['message'], batch: 5 },
  async ({ message }, { trx }: ConsumerContext<Knex.Transaction>) => {
    await trx('ledger').insert({ content: message.content })
    print(`handled: ${message.content}`)
  },
)
await chat.start()
const app = new Koa()
app.use(createChatMiddleware(chat))
const answer = app.callback()
const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
print(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
