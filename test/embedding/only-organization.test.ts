import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import createKnex from 'knex'

import { tableNames } from '../support/database-texts.js'
import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { assertBadQueue, park } from '../support/event-calls.js'
import { FakeClock } from '../support/fake-clock.js'
import { Product } from './product.js'

const logPollSeconds = 0.25
/** As long as there is a connected bus, which PostgreSQL has, the log is read in every twelfth. */
const pollsBetweenReadings = 12

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`the only organization of a server (${column.name})`, () => {
    const clock = new FakeClock()
    const warnings: string[] = []
    let database: TestDatabase
    let chat: ChatServer
    /** Another process of the same application. */
    let other: ChatServer
    let product: Product

    before(async () => {
      database = await column.create()
      const options = { database: database.config, rateLimits: 'off', clock } as const
      const warn = (message: string) => warnings.push(message)
      chat = createChatServer({
        ...options,
        logger: { debug() {}, info() {}, warn, error() {} },
      })
      other = createChatServer({ ...options, clock: new FakeClock() })
      await chat.start()
      await other.start()
      // Of what the options lack.
      warnings.length = 0
      product = await Product.listen(express().use(createChatMiddleware(chat)))
    })
    after(async () => {
      await chat.close()
      await other.close()
      await product[Symbol.asyncDispose]()
      await database.drop()
    })

    /** Makes the server check for changes of other processes. */
    async function look(): Promise<void> {
      for (let polls = 0; polls < pollsBetweenReadings; polls += 1) {
        const isOver = clock.next('set', logPollSeconds)
        clock.advance(logPollSeconds)
        await isOver
      }
    }

    /** Deletes every organization, as an application that resets its database. */
    async function empty(): Promise<void> {
      const knex = createKnex(database.config)
      for (const table of await tableNames(knex)) {
        // FTS5 keeps its own rows in tables with longer names.
        const isKept = !table.startsWith('chat_') || /migrations|secrets|message_words_/.test(table)
        if (!isKept) await knex(table).delete()
      }
      await knex.destroy()
    }

    it('may be created by another process after the start', async () => {
      const cast = product.cast('first', 100)
      assert.equal((await cast.people.alice.get('/users/me')).status, 401)
      assert.match(warnings.splice(0).join('\n'), /^There is no organization: [^\n]+$/)

      await other.organizations.load(cast.file)

      const { status, body } = await cast.people.alice.get('/users/me')
      assert.deepEqual([status, body.user_id], [200, cast.people.alice.id])
    })

    for (const [id, name] of [
      [50, 'Young'],
      [50, 'Younger'],
      [60, 'Youngest'],
    ] as const) {
      it(`can be replaced by another one: ${name}, ${id}`, async () => {
        const { people, nobody, file } = product.cast('first', 100)
        const { body } = await people.bob.post('/register', { event_types: ['message'] })
        const place = { queue_id: body.queue_id, last_event_id: body.last_event_id }
        const poll = await park(people.bob, clock, place)
        assert.notEqual((await nobody.get('/server_settings')).body.realm_name, name)

        await empty()
        await look()
        assert.equal((await poll.answer).status, 200)
        await other.organizations.load({ ...file, organization: { id, name, subdomain: 'first' } })
        await look()

        assert.equal((await nobody.get('/server_settings')).body.realm_name, name)
        assertBadQueue(await people.bob.get('/events', place), body.queue_id)
        const feed = await people.bob.listen()
        await people.alice.whisper([people.bob], 'hello again')
        const contents = (await feed.drain()).map((event) => event['message'].content)
        assert.deepEqual(contents, ['hello again'])
      })
    }

    it('is no longer resolved when another process adds a second one', async () => {
      const cast = product.cast('first', 100)
      assert.equal((await cast.people.alice.get('/users/me')).status, 200)
      assert.deepEqual(warnings, [])

      await other.organizations.load({
        organization: { name: 'Second', subdomain: 'second' },
        users: [{ id: 9000, email: 'sole@second.example', full_name: 'Sole' }],
        channels: [],
      })
      assert.equal((await cast.people.alice.get('/users/me')).status, 200)
      await look()

      const answer = await cast.people.alice.get('/users/me')
      assert.deepEqual(
        [answer.status, answer.body.msg],
        [401, 'Account is not associated with this subdomain'],
      )
      assert.deepEqual(warnings, [
        'There are several organizations, and no resolveOrganization tells which',
      ])
    })
  })
}
