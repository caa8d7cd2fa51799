import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import { SecretBox, secretIdOf, sealedPrefix } from '../../packages/core/src/kernel/secret-box.js'
import {
  databaseColumns,
  existingDatabase,
  reportSkippedColumns,
  type TestDatabase,
} from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'
import { startChatProcess } from './chat-process.js'

const [oldSecret, newSecret] = ['old secret', 'new secret'].map((name) => name.padEnd(32, '-')) as [
  string,
  string,
]
const keyCount = 3000

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`a process that is killed while it re-encrypts keys (${column.name})`, () => {
    let database: TestDatabase
    let knex: Knex

    const countSealed = async (secret: string): Promise<number> => {
      const start = sealedPrefix(secretIdOf(secret))
      const rows = (await knex('chat_users')
        .where('api_key_sealed', '>=', start)
        .where('api_key_sealed', '<', `${start}~`)
        .count({ count: '*' })) as { count: number }[]
      return Number(rows[0]?.count)
    }

    before(async () => {
      database = await column.create()
      knex = createKnex(database.config)
      const host = new TestHost('koa', existingDatabase(column, database.config), {
        secret: oldSecret,
      })
      await host.start()
      const { people } = await host.organization()
      await host.stop()
      const user = (await knex('chat_users').where({ id: people.carol.id }).first()) as object
      const box = new SecretBox(oldSecret, [], 'api-keys')
      const users = Array.from({ length: keyCount }, (_, index) => ({
        ...user,
        id: 10_000 + index,
        email: `user${index}@many.example`,
        email_key: `user${index}@many.example`,
        api_key_hash: `hash ${index}`,
        api_key_sealed: box.seal(`key ${index}`),
      }))
      await knex.batchInsert('chat_users', users, 20)
    })
    after(async () => {
      await knex.destroy()
      await database.drop()
    })

    it('has lost no key, and the next process re-encrypts the rest', async () => {
      const options = { database: database.config, secret: newSecret, previousSecrets: [oldSecret] }
      const all = await countSealed(oldSecret)

      const killed = startChatProcess(options)
      await until('the first keys', async () => (await countSealed(newSecret)) > 0)
      const { child } = await killed
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await isGone
      const left = await countSealed(oldSecret)
      assert.ok(left > 0 && left < all, `${left} of ${all} are left: it was killed in the middle`)
      const box = new SecretBox(newSecret, [oldSecret], 'api-keys')
      const rows = (await knex('chat_users')
        .where('id', '>=', 10_000)
        .orderBy('id')
        .select('api_key_sealed')) as { api_key_sealed: string }[]
      assert.deepEqual(
        rows.map(({ api_key_sealed }) => box.open(api_key_sealed)),
        rows.map((_, index) => `key ${index}`),
      )

      const host = new TestHost('koa', existingDatabase(column, database.config), options)
      await host.start()
      await until('the remaining keys', async () => (await countSealed(newSecret)) === all)
      assert.deepEqual((await host.chat.health()).oldSecretsInUse, [])
      await host.stop()
    })
  })
}
