import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import { databaseColumns, type DatabaseColumn } from '../support/databases.js'
import { TestHost } from '../support/host.js'

const sqlite = databaseColumns().find(({ name }) => name === 'sqlite')

// Easily violated with drivers that do everything synchronously.
const title = `an application's own connection and the chat's (${sqlite?.title ?? 'SKIPPED: not on SQLite'})`
describe(title, { skip: sqlite === undefined }, () => {
  const host = new TestHost('express', sqlite as DatabaseColumn)
  let cast: Cast
  let product: Knex

  const send = async (index: number): Promise<unknown> => {
    const { id } = cast.people.alice
    const { api } = host.chat.as({ userId: id, organization: cast.subdomain })
    const place = { type: 'channel', to: cast.channels.design, topic: 'many' } as const
    const content = `${index} $$\\sum_{i=0}^{${index}} i$$`
    return api.sendMessage({ ...place, content })
  }

  before(async () => {
    await host.start()
    cast = await host.organization()
    product = createKnex(host.databaseConfig)
    // As documented in docs/databases.md: sqlite3's default timeout is 1 s, and SQLite's locks are
    // not fair, so a busy chat can take the lock repeatedly within that time.
    await product.raw('PRAGMA busy_timeout = 10000')
    await product.schema.createTable('rows', (table) => {
      table.integer('number')
      table.boolean('flag')
      table.binary('bytes')
    })
    await send(0)
  })
  after(async () => {
    await product.destroy()
    await host.stop()
  })

  it('continues while many messages are sent, and can write at any time', async () => {
    const sentAlone = 20
    const sendMany = async (): Promise<void> => {
      for (let index = 0; index < sentAlone; index += 1) await send(index)
      await Promise.all(Array.from({ length: 40 }, async (_, index) => send(index)))
    }
    const state = { isOver: false }
    let iterations = 0
    let written = 0
    const iterate = async (): Promise<void> => {
      while (!state.isOver) {
        await setImmediate()
        iterations += 1
      }
    }
    const write = async (): Promise<void> => {
      while (!state.isOver) {
        await product('rows').insert({ number: written })
        written += 1
        await setImmediate()
      }
    }

    await Promise.all([sendMany().finally(() => (state.isOver = true)), iterate(), write()])

    assert.ok(iterations >= sentAlone, `only ${iterations} iterations of the event loop`)
    assert.ok(written > 0)
  })

  it('can hold a transaction while it awaits something else; the chat waits for it', async () => {
    const transaction = await product.transaction()
    await transaction('rows').insert({ number: -1 })
    let ticks = 0
    let isSent = false
    const sending = send(0).then(() => (isSent = true))

    while (ticks < 50) {
      await setImmediate()
      ticks += 1
    }
    const wasSent = isSent
    await transaction.commit()
    await sending

    assert.equal(wasSent, false)
  })

  it('converts values as the other drivers do', async () => {
    const bytes = Buffer.from([0, 255])
    const at = new Date(1_000)

    await product('rows').where({ number: -1 }).delete()
    const [id] = await product('rows').insert({ number: -1, flag: true, bytes })
    const changed = await product('rows').where({ number: -1 }).update({ flag: false })
    const row = await product('rows').where({ rowid: id }).first()
    const [raw] = await product.raw('SELECT ? AS at, ? AS yes', [at, true])
    const returned = await product('rows').where({ number: -1 }).update({ number: -2 }, ['number'])

    assert.equal(changed, 1)
    assert.deepEqual(row, { number: -1, flag: 0, bytes })
    assert.ok(Buffer.isBuffer(row.bytes))
    assert.deepEqual(raw, { at: 1000, yes: 1 })
    assert.deepEqual(returned, [{ number: -2 }])
    await assert.rejects(product.raw('SELECT * FROM absent'), /no such table/)
  })
})
