import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer, type UserApi } from '@parley/core'
import createOldestKnex, { type Knex } from 'knex-oldest'

import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`an application with another copy of Knex (${column.name})`, () => {
    let database: TestDatabase
    let knex: Knex
    let chat: ChatServer
    let ada: UserApi

    before(async () => {
      database = await column.create()
      const { client, connection } = database.config
      knex = createOldestKnex({ client, connection, useNullAsDefault: true } as Knex.Config)
      await knex.schema.createTable('orders', (table) => table.increments('id'))
      chat = createChatServer({ database: knex, rateLimits: 'off' })
      await chat.start()
      await chat.organizations.create({
        name: 'Orders',
        subdomain: '',
        owner: { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' },
      })
      ada = chat.as({ externalId: '7' })
    })
    after(async () => {
      await chat.close()
      await knex.destroy()
      await database.drop()
    })

    const send = async (transaction: Knex.Transaction): Promise<number> => {
      await transaction('orders').insert({})
      const message = { type: 'direct', to: [await ada.id()], content: 'ordered' } as const
      return (await ada.api.sendMessage(message, { within: transaction })).id
    }
    const isStored = async (id: number): Promise<boolean> =>
      (await knex('chat_messages').where({ id })).length > 0

    it('commits messages together with its own rows', async () => {
      const id = await knex.transaction(send)

      assert.equal(await isStored(id), true)
      assert.equal((await knex('orders')).length, 1)
    })

    it('rolls back messages together with its own rows', async () => {
      let id = 0
      const rolledBack = knex.transaction(async (transaction) => {
        id = await send(transaction)
        throw new Error('out of stock')
      })

      await assert.rejects(rolledBack, /out of stock/)
      assert.equal(await isStored(id), false)
    })
  })
}
