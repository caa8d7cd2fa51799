import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { startPrivateMysql } from '../../scripts/private-mysql.mjs'
import { startPrivatePostgres } from '../../scripts/private-postgres.mjs'
import type { Answer, Client } from '../support/client.js'
import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { Listener } from './listener.js'
import { assertKept, emptyOutcome, sendAll } from './message-storm.js'
import { Ground, type ServerProcess } from './server-process.js'

const senderNames = Array.from({ length: 20 }, (_, index) => `s${index}`)
const listenerNames = ['anna', 'bert']

/** A server that flushes commits to the disk, and how to connect to it. */
const servers = {
  mysql: { client: 'mysql2', start: () => startPrivateMysql({ durable: true }), existing: 'mysql' },
  postgres: {
    client: 'pg',
    start: () => startPrivatePostgres({ durable: true }),
    existing: 'postgres',
  },
} as const

reportSkippedColumns()
for (const { name } of allDatabaseColumns()) {
  if (name === 'sqlite') continue
  const { client, start, existing } = servers[name]
  describe(`a database server that is killed (${name})`, () => {
    let database: Awaited<ReturnType<typeof start>>
    let ground: Ground
    let server: ServerProcess

    before(async () => {
      database = await start()
      const url = `${database.url}killed`
      const config: Knex.Config = { client, connection: url }
      const create = async () => {
        const knex = createKnex({ client, connection: `${database.url}${existing}` })
        await knex.raw('CREATE DATABASE killed')
        await knex.destroy()
        return { config, url, drop: async () => {} }
      }
      ground = await Ground.create({ name, title: name, create }, [
        ...senderNames,
        ...listenerNames,
      ])
      server = ground.server()
      await server.start()
    })
    after(async () => {
      await ground.remove()
      await database.stop()
    })

    it('loses no acknowledged message, and queues continue when it is back', async () => {
      const clientOf = (user: string): Client => ground.client(server, user)
      const listeners = await Promise.all(
        listenerNames.map((user) => Listener.register([clientOf(user)])),
      )
      const listening = Promise.all(listeners.map((listener) => listener.until('the end')))
      // It fails with the test, which has its own error then.
      listening.catch(() => {})
      const outcome = emptyOutcome()
      const killAt = [60, 150]
      let answers = 0
      let restarting = Promise.resolve()
      /** What was refused stays refused, but the next message waits until the database is back. */
      const once = async (client: Client, send: () => Promise<Answer>): Promise<Answer> => {
        const answer = await send()
        if (answer.status === 503) {
          const isBack = async () => (await client.get('/users/me')).status === 200
          await until('the database', isBack, { seconds: 60 })
        }
        return answer
      }

      await Promise.all(
        senderNames.map((user) =>
          sendAll(
            clientOf(user),
            outcome,
            () => {
              answers += 1
              if (answers !== killAt[0]) return
              killAt.shift()
              restarting = restarting.then(() => database.kill()).then(() => database.startAgain())
            },
            (send) => once(clientOf(user), send),
          ),
        ),
      )
      await restarting
      await clientOf('anna').say(1, 'storm', 'the end')
      await listening

      assert.deepEqual(killAt, [], 'it was killed as often as planned')
      assert.ok(outcome.unknown.size > 0, 'it was killed during requests')
      for (const listener of listeners) assertKept(listener, outcome, senderNames)
    })
  })
}
