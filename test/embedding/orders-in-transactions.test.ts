import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { UserApi } from '@parley/core'
import type { TransactionExecutor } from '@parley/core/transactions'
import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import type { EventFeed } from '../support/event-feed.js'
import { TestHost } from '../support/host.js'
import { productsOn, type OrderProduct } from './order-products.js'

reportSkippedColumns()

for (const column of allDatabaseColumns()) {
  describe(`a message in the transaction of the product's library (${column.title})`, () => {
    const host = new TestHost('express', column)
    let cast: Cast
    let knex: Knex
    let alice: UserApi
    let feed: EventFeed

    before(async () => {
      await host.start()
      cast = await host.organization()
      knex = createKnex(host.databaseConfig)
      // Another file of this process may have left one.
      await knex.schema.dropTableIfExists('orders')
      await knex.schema.createTable('orders', (table) => {
        table.increments('id')
        table.text('item')
      })
      alice = host.chat.as({ userId: cast.people.alice.id, organization: cast.subdomain })
      feed = await cast.people.bob.listen({ event_types: ['message'] })
    })
    after(async () => {
      await knex.schema.dropTable('orders')
      await knex.destroy()
      await host.stop()
    })

    const send = async (content: string, within: TransactionExecutor): Promise<number> => {
      const { id } = await alice.api.sendMessage(
        { type: 'channel', to: cast.channels.design, topic: 'orders', content },
        { within },
      )
      return id
    }
    const received = async (): Promise<string[]> =>
      (await feed.drain()).map((event) => event['message'].content)
    const isStored = async (item: string): Promise<boolean> =>
      (await knex('orders').where({ item })).length > 0
    const canBeRead = async (id: number): Promise<boolean> =>
      (await cast.people.alice.get(`/messages/${id}`)).status === 200

    for (const [name, open] of Object.entries(productsOn(column))) {
      describe(name, () => {
        let product: OrderProduct
        before(async () => {
          product = await open(host.databaseConfig)
        })
        after(() => product.close())

        it('is stored and sent after the commit', async () => {
          const item = `${name}: tea`
          let id = 0
          let early = true

          await product.placeOrder(item, async (within) => {
            id = await send(item, within)
            early = await canBeRead(id)
          })

          assert.equal(early, false, 'not before the commit')
          assert.equal(await canBeRead(id), true)
          assert.equal(await isStored(item), true)
          assert.deepEqual(await received(), [item])
        })

        it('does not exist after a rollback', async () => {
          const item = `${name}: never`
          let id = 0

          const placing = product.placeOrder(item, async (within) => {
            id = await send(item, within)
            throw new Error('out of stock')
          })

          await assert.rejects(placing, /out of stock/)
          assert.equal(await isStored(item), false)
          assert.equal(await canBeRead(id), false)
          await cast.people.carol.say(cast.channels.general, 'x', `after ${item}`)
          assert.deepEqual(await received(), [`after ${item}`], 'the log continues without a gap')
        })

        it('can be refused without ending the transaction', async () => {
          const item = `${name}: kept`

          await product.placeOrder(item, async (within) => {
            const draft = { type: 'channel', to: 999_999, topic: 'x', content: 'y' } as const
            await assert.rejects(alice.api.sendMessage(draft, { within }), {
              code: 'STREAM_DOES_NOT_EXIST',
            })
            await send(item, within)
          })

          assert.equal(await isStored(item), true)
          assert.deepEqual(await received(), [item])
        })

        it('is seen by later calls in the transaction', async () => {
          const contents = ['one', 'two'].map((word) => `${name}: ${word}`)
          let found: (string | undefined)[] = []

          await product.placeOrder(name, async (within) => {
            const first = await send(contents[0] ?? '', within)
            await send(contents[1] ?? '', within)
            const { messages } = await alice.api.getMessages(
              { anchor: first, num_before: 0, num_after: 1, apply_markdown: false },
              { within },
            )
            found = messages.map(({ content }) => content)
          })

          assert.deepEqual(found, contents)
          assert.deepEqual(await received(), contents)
        })

        if (column.name === 'postgres') {
          it('reads values with the types of the chat', async () => {
            let rows: readonly object[] = []

            await product.placeOrder(`${name}: types`, async (within) => {
              ;({ rows } = await within.query(
                `SELECT $1::int8 AS large, COUNT(*) AS count, SUM(id) AS sum, true AS flag,
                 '\\x00ff'::bytea AS bytes, 1.5::float8 AS fraction, 'x' AS text
               FROM orders WHERE id < 0 OR item = $2`,
                [Number.MAX_SAFE_INTEGER, `${name}: types`],
              ))
            })

            const [{ large, count, sum, bytes, ...others } = {}] = rows as Record<string, unknown>[]
            assert.equal(Number(large), Number.MAX_SAFE_INTEGER)
            for (const value of [large, count, sum]) {
              assert.ok(typeof value === 'number' || typeof value === 'bigint', typeof value)
            }
            assert.deepEqual([...(bytes as Uint8Array)], [0, 255])
            assert.deepEqual(others, { flag: true, fraction: 1.5, text: 'x' })
          })
        }

        it('is followed by calls that know what has changed', async () => {
          const organization = cast.subdomain
          const olga = host.chat.as({ userId: cast.people.olga.id, organization })
          const names = async () =>
            (await olga.api.getChannelFolders()).channel_folders.map(({ name }) => name)
          for (const word of ['one', 'two', 'three']) {
            const folder = `${name}: ${word}`
            await names()
            await product.placeOrder(name, async (within) => {
              await olga.api.createChannelFolder({ name: folder, description: '' }, { within })
            })
            assert.equal((await names()).at(-1), folder)
          }
        })

        it('is refused after the end of the transaction', async () => {
          let ended: TransactionExecutor | undefined
          await product.placeOrder(name, async (within) => {
            ended = within
          })
          assert.ok(ended !== undefined)

          await assert.rejects(send('late', ended), /^TypeError: within: no transaction is open/)
          assert.deepEqual(await received(), [])
        })
      })
    }
  })
}
