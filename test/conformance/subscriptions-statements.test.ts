import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import type { Cast, People } from '../support/cast.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { databaseColumns, type DatabaseColumn } from '../support/databases.js'
import { TestHost } from '../support/host.js'

interface KnexClient {
  _query(connection: unknown, query: { readonly sql?: string }): Promise<unknown>
}

/** A kind of database that records every statement, through a Knex client class. */
function noting(column: DatabaseColumn, statements: string[]): DatabaseColumn {
  return {
    ...column,
    async create() {
      const database = await column.create()
      const pool = createKnex(database.config)
      const Base = (pool.client as { constructor: new (config: Knex.Config) => KnexClient })
        .constructor
      await pool.destroy()
      class NotingClient extends Base {
        override _query(connection: unknown, query: { readonly sql?: string }): Promise<unknown> {
          statements.push(query.sql ?? '')
          return super._query(connection, query)
        }
      }
      return { ...database, config: { ...database.config, client: NotingClient as never } }
    },
  }
}

/** Additional users. */
const crowd = (base: number, count: number) =>
  Array.from({ length: count }, (_, index) => base + 1000 + index)

const withCrowd = {
  more: ({ people, base }: { people: Record<keyof People, number>; base: number }) => ({
    bots: [people.bot, ...crowd(base, 150)].map((id) => ({
      id,
      email: `crowd${id}@crowd.example`,
      full_name: `Crowd ${id}`,
      owner_id: people.alice,
    })),
  }),
}

for (const column of databaseColumns()) {
  describe(`the statements of channels (${column.name})`, () => {
    it('are as many for a hundred users and three channels as for two users and one channel', async (t) => {
      const statements: string[] = []
      const host = new TestHost('express', noting(column, statements))
      await host.start()
      t.after(() => host.stop())
      const { people, channels }: Cast = await host.organization(withCrowd)
      const ids = crowd(channels.general, 150)
      const counted = async (act: () => Promise<{ status: number }>): Promise<number> => {
        // What the caller has received before is written now.
        await people.alice.get('/users/me')
        statements.length = 0
        assert.equal((await act()).status, 200)
        // A long list of recipients is stored once, and not with the event.
        return statements.filter((sql) => !sql.includes('event_audiences')).length
      }
      for (let index = 0; index < 6; index += 1) await makeChannel(people.alice, `place ${index}`)
      const named = (names: readonly number[]) => names.map((index) => ({ name: `place ${index}` }))
      const join = (names: readonly number[], principals: readonly number[], from: Client) => () =>
        from.post('/users/me/subscriptions', { subscriptions: named(names), principals })
      const leave = (names: readonly number[], principals: readonly number[], from: Client) => () =>
        from.delete('/users/me/subscriptions', {
          subscriptions: named(names).map(({ name }) => name),
          principals,
        })
      const { alice } = people

      // Fills all caches that are kept between requests.
      await counted(join([0], ids.slice(0, 35), alice))
      await counted(leave([0], ids.slice(0, 35), alice))
      const few = await counted(join([1], ids.slice(0, 40), alice))
      const many = await counted(join([2, 3, 4], ids.slice(40, 140), alice))
      const fewLeft = await counted(leave([1], ids.slice(0, 40), alice))
      const manyLeft = await counted(leave([2, 3, 4], ids.slice(40, 140), alice))
      const again = await counted(join([2, 3, 4], ids.slice(40, 140), alice))
      // A single notification message needs one statement less: its id is the one that was inserted.
      const two = await counted(join([5], ids.slice(0, 2), alice))
      const newOnes = (names: readonly string[]) => () =>
        alice.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) })
      const made = await counted(newOnes(['new a', 'new f']))
      const allMade = await counted(newOnes(['new b', 'new c', 'new d', 'new e']))

      assert.equal(many, two)
      assert.equal(few, two)
      assert.equal(manyLeft, fewLeft)
      assert.ok(again <= many)
      assert.equal(allMade, made)
    })

    it('are as many for a snapshot of a hundred channels as for one of seven', async (t) => {
      const statements: string[] = []
      const host = new TestHost('express', noting(column, statements))
      await host.start()
      t.after(() => host.stop())
      const [small, large] = [
        await host.organization(),
        await host.organization({
          more: ({ channels }) => ({
            channels: Array.from({ length: 100 }, (_, index) => ({
              id: channels.general + index,
              name: `channel ${index}`,
              subscribers: [],
              ...(index % 2 === 0 ? { privacy: 'private' } : {}),
            })),
          }),
        }),
      ]
      const counted = async ({ people: { olga } }: Cast): Promise<number> => {
        const register = () =>
          olga.post('/register', {
            fetch_event_types: ['subscription', 'stream', 'default_streams', 'user_topic'],
            include_subscribers: 'true',
          })
        await register()
        statements.length = 0
        const answer = await register()
        assert.ok(answer.body.streams.length >= 6)
        return statements.length
      }

      const [few, many] = [await counted(small), await counted(large)]

      assert.equal(many, few)
    })
  })
}
