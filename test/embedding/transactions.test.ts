import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type UserApi } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import type { Cast } from '../support/cast.js'
import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import type { EventFeed } from '../support/event-feed.js'
import { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'

/** As applications configure that want column names in their own style. */
function inCamelCase(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(inCamelCase)
  if (typeof result !== 'object' || result === null) return result
  const renamed = Object.entries(result).map(([name, value]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  return Object.fromEntries(renamed)
}

reportSkippedColumns()

for (const column of allDatabaseColumns()) {
  describe(`a message in the application's own transaction (${column.title})`, () => {
    const host = new TestHost('express', column)
    let cast: Cast
    let knex: Knex
    let alice: UserApi
    let feed: EventFeed

    before(async () => {
      await host.start()
      cast = await host.organization()
      knex = createKnex(host.databaseConfig)
      await knex.schema.createTable('orders', (table) => {
        table.increments('id')
        table.string('item')
      })
      alice = host.chat.as({
        userId: cast.people.alice.id,
        organization: cast.subdomain,
      })
      feed = await cast.people.bob.listen({ event_types: ['message'] })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    const place = async (transaction: Knex.Transaction, item: string): Promise<number> => {
      await transaction('orders').insert({ item })
      const { id } = await alice.api.sendMessage(
        { type: 'channel', to: cast.channels.design, topic: 'orders', content: item },
        { within: transaction },
      )
      return id
    }
    const received = async (): Promise<string[]> =>
      (await feed.drain()).map((event) => event['message'].content)
    const isStored = async (item: string): Promise<boolean> =>
      (await knex('orders').where({ item })).length > 0
    const canBeRead = async (id: number): Promise<boolean> =>
      (await cast.people.alice.get(`/messages/${id}`)).status === 200

    it('is rejected with renamed columns, although the chat server itself works with them', async () => {
      const renaming = createKnex({ ...host.databaseConfig, postProcessResponse: inCamelCase })
      const chat = createChatServer({ database: renaming, rateLimits: 'off' })
      await chat.start()
      const bob = chat.as({ userId: cast.people.bob.id, organization: cast.subdomain })
      const draft = { type: 'direct', to: [cast.people.alice.id], content: 'renamed' } as const

      const { id } = await bob.api.sendMessage(draft)
      const joining = renaming.transaction((transaction) => place(transaction, 'renamed'))

      await assert.rejects(joining, /^TypeError: within: must be of a Knex instance without/)
      assert.equal(await canBeRead(id), true)
      assert.deepEqual(await received(), ['renamed'])
      await chat.close()
      await renaming.destroy()
    })

    it('is rejected without a transaction', async () => {
      await assert.rejects(place(knex as never, 'outside'), {
        name: 'TypeError',
        message: 'within: must be a transaction of Knex that has begun, or an executor of one',
      })
      assert.deepEqual(await received(), [])
    })

    it('exists, and is sent, after the commit', async () => {
      let id = 0
      let early = true

      await knex.transaction(async (transaction) => {
        id = await place(transaction, 'tea')
        early = await canBeRead(id)
      })

      assert.equal(early, false, 'not before the commit')
      assert.equal(await canBeRead(id), true)
      assert.equal(await isStored('tea'), true)
      assert.deepEqual(await received(), ['tea'])
    })

    it('is seen by calls right after the commit, also in what is kept in memory', async () => {
      const organization = cast.subdomain
      const olga = host.chat.as({ userId: cast.people.olga.id, organization })
      const names = async () =>
        (await olga.api.getChannelFolders()).channel_folders.map(({ name }) => name)
      for (const name of ['one', 'two', 'three']) {
        await names()
        await knex.transaction(async (within) => {
          await olga.api.createChannelFolder({ name, description: '' }, { within })
        })
        assert.equal((await names()).at(-1), name)
      }
    })

    it('wakes a waiting client', async () => {
      const isParked = host.clock.next('set', 45, 55)
      const poll = feed.poll()
      await isParked

      await knex.transaction((transaction) => place(transaction, 'awaited'))

      assert.deepEqual(
        (await poll).map((event) => event['message'].content),
        ['awaited'],
      )
    })

    // Only PostgreSQL has such a setting.
    if (column.name === 'postgres') {
      it('leaves the settings of the session as they were', async () => {
        await knex.transaction(async (within) => {
          const timeout = async () => (await within.raw('SHOW statement_timeout')).rows
          await within.raw("SET statement_timeout = '77s'")
          const narrow = [{ operator: 'search', operand: 'tea' }] as const
          await alice.api.getMessages(
            { anchor: 'newest', num_before: 5, num_after: 0, narrow },
            { within },
          )
          assert.deepEqual(await timeout(), [{ statement_timeout: '77s' }])
          await within.raw('SET statement_timeout = DEFAULT')
        })
      })
    }

    const ways: Record<
      string,
      (undo: (transaction: Knex.Transaction) => Promise<unknown>) => Promise<unknown>
    > = {
      'by an error': (work) =>
        knex
          .transaction(async (transaction) => {
            await work(transaction)
            throw new Error('changed its mind')
          })
          .catch(() => {}),
      'by rollback()': async (work) => {
        const transaction = await knex.transaction()
        await work(transaction)
        await transaction.rollback()
      },
      'by rollback(error)': async (work) => {
        const transaction = await knex.transaction()
        await work(transaction)
        await transaction.rollback(new Error('changed its mind')).catch(() => {})
        await transaction.executionPromise.catch(() => {})
      },
      'by the rollback of a savepoint': (work) =>
        knex.transaction(async (outer) => {
          await outer('orders').insert({ item: 'outer' })
          const inner = await outer.transaction()
          await work(inner)
          await inner.rollback()
        }),
      'after the release of a savepoint': async (work) => {
        const outer = await knex.transaction()
        await outer.transaction((inner) => work(inner))
        await outer.rollback()
      },
    }
    for (const [way, undo] of Object.entries(ways)) {
      it(`does not exist after a rollback ${way}`, async () => {
        const item = `never ${way}`
        let id = 0

        await undo(async (transaction) => (id = await place(transaction, item)))

        assert.equal(await isStored(item), false)
        assert.deepEqual(await received(), [])
        assert.equal(await canBeRead(id), false)
        await cast.people.carol.say(cast.channels.general, 'x', `after ${way}`)
        assert.deepEqual(await received(), [`after ${way}`], 'and the log continues without a gap')
      })
    }

    it('is sent if a savepoint is released and the transaction commits', async () => {
      await knex.transaction((outer) =>
        outer.transaction((inner) => place(inner, 'within a savepoint')),
      )

      assert.deepEqual(await received(), ['within a savepoint'])
    })

    it('is ordered by the commits', async () => {
      await knex.transaction(async (transaction) => {
        for (const item of ['one', 'two', 'three']) await place(transaction, item)
      })
      await cast.people.carol.say(cast.channels.general, 'x', 'four')

      assert.deepEqual(await received(), ['one', 'two', 'three', 'four'])
    })

    it('calls listeners only after the commit', async () => {
      const reported: string[] = []
      const end = host.chat.on('message', ({ message }) =>
        reported.push(message.content.replaceAll(/<\/?p>/g, '')),
      )

      await ways['by rollback()']?.((transaction) => place(transaction, 'unreported'))
      await knex.transaction(async (transaction) => {
        await place(transaction, 'reported')
        assert.ok(!reported.includes('reported'))
      })
      await received()
      await until('the report', () => reported.includes('reported'))
      end()

      // Those of earlier messages may come late.
      assert.ok(!reported.includes('unreported'), String(reported))
    })

    // On SQLite, such a transaction cannot write at all; on PostgreSQL, it sees what is committed.
    const skip = column.name === 'mysql' ? false : 'only on MySQL'
    it('is refused for now if it began before what it conflicts with', { skip }, async () => {
      const { olga } = cast.people
      const owner = host.chat.as({ userId: olga.id, organization: cast.subdomain })
      const domain = { domain: 'conflict.example', allow_subdomains: false }
      const within = await knex.transaction()
      await within('orders').select()
      await owner.api.createRealmDomain(domain)

      const conflicting = owner.api.createRealmDomain(domain, { within })

      await assert.rejects(conflicting, { name: 'ChatError', kind: 'SERVICE_UNAVAILABLE' })
      await within.rollback()
      await assert.rejects(owner.api.createRealmDomain(domain), { reason: 'DOMAIN_TAKEN' })
    })

    it('is rejected as over HTTP, without ending the transaction', async () => {
      await knex.transaction(async (transaction) => {
        await transaction('orders').insert({ item: 'kept' })
        const draft = { type: 'channel', to: 999_999, topic: 'x', content: 'y' } as const
        await assert.rejects(alice.api.sendMessage(draft, { within: transaction }), {
          code: 'STREAM_DOES_NOT_EXIST',
        })
      })

      assert.equal(await isStored('kept'), true)
      assert.deepEqual(await received(), [])
    })
  })
}
