import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import type { Client } from '../support/client.js'
import {
  databaseColumns,
  existingDatabase,
  reportSkippedColumns,
  type TestDatabase,
} from '../support/databases.js'
import { TestHost, type HostOptions } from '../support/host.js'
import { untilSealedAgain } from '../support/sealed-keys.js'

const [first, second, third] = ['first', 'second', 'third'].map((name) => name.padEnd(32, '-')) as [
  string,
  string,
  string,
]

async function botKeyOf(owner: Client): Promise<unknown> {
  const { status, body, text } = await owner.get('/bots')
  return status === 200 ? (body.bots as { api_key: string }[])[0]?.api_key : text
}

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`the secret (${column.name})`, () => {
    let database: TestDatabase
    let knex: Knex
    let cast: Cast
    let botKey: string
    const running = new Set<TestHost>()

    async function start(options: HostOptions): Promise<TestHost> {
      const host = new TestHost('express', existingDatabase(column, database.config), options)
      try {
        await host.start()
      } catch (error) {
        await host.chat.close()
        throw error
      }
      running.add(host)
      return host
    }

    async function stop(host: TestHost): Promise<void> {
      running.delete(host)
      await host.stop()
    }

    /** Alice, as a client of that server. */
    const aliceAt = (host: TestHost): Client =>
      host.client(cast.subdomain, cast.people.alice.credentials, cast.people.alice.id, 'alice')

    before(async () => {
      database = await column.create()
      knex = createKnex(database.config)
      const host = await start({})
      cast = await host.organization()
      botKey = cast.people.bot.credentials?.apiKey ?? ''
      await stop(host)
    })
    afterEach(async () => {
      for (const host of running) await stop(host)
    })
    after(async () => {
      await knex.destroy()
      await database.drop()
    })

    it('can be added later: keys remain readable, and the stored secret is no longer needed', async () => {
      const host = await start({ secret: first })

      assert.equal(await botKeyOf(aliceAt(host)), botKey)
      await untilSealedAgain(host)
      await stop(host)
      await knex('chat_server_secrets').where({ name: 'seal' }).delete()
      assert.equal(await botKeyOf(aliceAt(await start({ secret: first }))), botKey)
    })

    it('can be replaced, twice, while keys remain readable and new ones are created', async () => {
      const host = await start({ secret: second, previousSecrets: [first] })
      assert.equal(await botKeyOf(aliceAt(host)), botKey)
      await untilSealedAgain(host)
      await stop(host)

      const next = await start({ secret: third, previousSecrets: [second] })
      assert.equal(await botKeyOf(aliceAt(next)), botKey)
      const { body } = await aliceAt(next).post(`/bots/${cast.people.bot.id}/api_key/regenerate`)
      botKey = body.api_key
      await untilSealedAgain(next)
      await stop(next)

      assert.equal(await botKeyOf(aliceAt(await start({ secret: third }))), botKey)
    })

    it('prevents the start if it is missing or wrong, with an error that names the remedy', async () => {
      const remedy = /sealed under secrets that were not given: '[\w-]{8}'.*previousSecrets/

      await assert.rejects(start({}), remedy)
      await assert.rejects(start({ secret: first }), remedy)
      await assert.rejects(start({ secret: first, previousSecrets: [second] }), remedy)
      const host = await start({ secret: first, previousSecrets: [second, third] })

      assert.equal(await botKeyOf(aliceAt(host)), botKey)
      await untilSealedAgain(host)
    })

    it('is listed as in use while keys are sealed with an old one', async () => {
      const old = await start({ secret: first, previousSecrets: [second] })
      const current = await start({ secret: second, previousSecrets: [third, first] })
      await untilSealedAgain(current)

      await aliceAt(old).post(`/bots/${cast.people.bot.id}/api_key/regenerate`)
      const { oldSecretsInUse } = await current.chat.health()

      assert.deepEqual(oldSecretsInUse, ['previousSecrets[1]'])
      current.clock.advance(15 * 60)
      await untilSealedAgain(current)
      botKey = String(await botKeyOf(aliceAt(current)))
    })

    it('of a process that started earlier does not replace that of a later one', async () => {
      const early = await start({ secret: first, previousSecrets: [second] })
      await untilSealedAgain(early)
      const late = await start({ secret: second, previousSecrets: [first] })
      await untilSealedAgain(late)

      early.clock.advance(15 * 60)
      await stop(early)

      assert.deepEqual((await late.chat.health()).oldSecretsInUse, [])
    })

    it('can be abandoned by its id, and its keys are replaced', async () => {
      const message = await start({ secret: third }).then(
        () => '',
        (error: unknown) => (error as Error).message,
      )
      const lostId = /lostSecrets: \['([\w-]{8})'\]/.exec(message)?.[1] ?? ''

      const host = await start({ secret: third, lostSecrets: [lostId] })
      await untilSealedAgain(host)

      assert.equal((await aliceAt(host).get('/users/me')).status, 401)
      assert.equal((await start({ secret: third })).log.length, 0)
    })
  })
}
