import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { faulty } from '../faults/faulty-client.js'
import type { Cast } from '../support/cast.js'
import type { Answer } from '../support/client.js'
import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { TestHost } from '../support/host.js'

const messagesPerServer = 60
const channelIds = [1, 2, 3]

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`two servers that write concurrently (${column.title})`, () => {
    let database: TestDatabase
    let servers: ChatServer[]
    let knex: Knex

    before(async () => {
      database = await column.create()
      knex = createKnex(database.config)
      servers = [1, 2].map(() => createChatServer({ database: database.config }))
      for (const server of servers) await server.start()
      await servers[0]?.organizations.load({
        organization: { name: 'Order' },
        users: [1, 2].map((id) => ({ id, email: `u${id}@order.example`, full_name: `User ${id}` })),
        channels: channelIds.map((id) => ({ id, name: `channel ${id}`, subscribers: [1, 2] })),
        messages: [{ sender_id: 1, channel_id: 1, topic: 'first', content: 'Hello' }],
      })
    })
    after(async () => {
      for (const server of servers) await server.close()
      await knex.destroy()
      await database.drop()
    })

    it('assign message ids in the order of the event log, which has no gaps', async () => {
      const senders = servers.map((server, index) => server.as({ userId: index + 1 }))
      // A channel's first message changes the channel, and therefore makes others wait anyway.
      for (const to of channelIds) {
        const draft = { type: 'channel', to, topic: 'start', content: 'Hello' } as const
        await senders[0]?.api.sendMessage(draft)
      }

      await Promise.all(
        senders.flatMap(({ api }) =>
          Array.from({ length: messagesPerServer }, (_, index) =>
            api.sendMessage({
              type: 'channel',
              to: channelIds[index % channelIds.length],
              topic: 'storm',
              content: `Message ${index}`,
            }),
          ),
        ),
      )

      const rows = (await knex('chat_events').orderBy('seq').select('seq', 'kind', 'data')) as {
        seq: number
        kind: string
        data: string
      }[]
      const ids = rows
        .filter(({ kind }) => kind === 'message')
        .map(({ data }) => (JSON.parse(data) as { message: { id: number } }).message.id)
      assert.equal(ids.length, channelIds.length + 2 * messagesPerServer)
      assert.deepEqual(
        ids,
        [...ids].sort((a, b) => a - b),
      )
      assert.deepEqual(
        rows.map(({ seq }) => seq),
        rows.map((_, index) => index + 1),
      )
      const organization = (await knex('chat_organizations').first('event_seq')) as {
        event_seq: number
      }
      assert.equal(organization.event_seq, rows.length)
    })
  })

  describe(`a server that writes while another one commits (${column.title})`, () => {
    const { column: watched, hold, next } = faulty(column)
    const one = new TestHost('express', watched)
    let two: TestHost
    let here: Cast['people']
    let there: Cast['people']

    before(async () => {
      await one.start()
      two = await one.another('koa')
      const cast = await one.organization()
      here = cast.people
      there = Object.fromEntries(
        Object.entries(here).map(([name, person]) => [name, two.clientOf(person)]),
      ) as unknown as Cast['people']
      await here.olga.patch('/realm', { require_unique_names: true })
    })
    after(async () => {
      await two.stop()
      await one.stop()
    })

    /** The second request is sent when the first one has done everything but commit. */
    async function meet(first: () => Promise<Answer>, second: () => Promise<Answer>) {
      const commit = hold(/^\s*commit/i)
      const answering = [first()]
      await Promise.race([commit.reached, answering[0]])
      const isWaiting = next(
        /begin immediate|.chat_organizations.* for update|update .chat_organizations/i,
      )
      answering.push(second())
      await Promise.race([isWaiting, answering[1]])
      commit.release()
      return Promise.all(answering)
    }

    const bot = (short_name: string) => ({ short_name, full_name: 'Twin', bot_type: 1 })
    const newUser = (name: string) => ({
      email: `${name}@new.example`,
      password: 'correct horse battery',
      full_name: 'Newcomer',
    })
    const meetings: {
      title: string
      first: () => Promise<Answer>
      second: () => Promise<Answer>
      refusal: string
    }[] = [
      {
        title: 'rejects the same name for another bot',
        first: () => here.alice.post('/bots', bot('twin')),
        second: () => there.bob.post('/bots', bot('other')),
        refusal: 'Name is already in use.',
      },
      {
        title: 'rejects the same name for another user',
        first: () => here.alice.patch('/settings', { full_name: 'Same Name' }),
        second: () => there.bob.patch('/settings', { full_name: 'same name' }),
        refusal: 'Unique names required in this organization.',
      },
      {
        title: 'rejects a new user with the same name',
        first: () => here.olga.post('/users', newUser('one')),
        second: () => there.olga.post('/users', newUser('two')),
        refusal: 'Unique names required in this organization.',
      },
      {
        title: 'rejects a draft of a user who has disabled drafts',
        first: async () => {
          // So the other server caches that she has enabled it.
          await there.carol.get('/drafts')
          return here.carol.patch('/settings', { enable_drafts_synchronization: false })
        },
        second: () =>
          there.carol.post('/drafts', {
            drafts: [{ type: '', to: [], topic: '', content: 'Hm' }],
          }),
        refusal: 'User has disabled synchronizing drafts.',
      },
    ]

    for (const { title, first, second, refusal } of meetings) {
      it(title, async () => {
        const [done, refused] = await meet(first, second)

        assert.equal(done?.status, 200, done?.text)
        assert.equal(refused?.status, 400, refused?.text)
        assert.equal(refused?.body.msg, refusal)
      })
    }

    it('leaves no gaps in the log after an error', async () => {
      const knex = createKnex(one.databaseConfig)
      const seqs = (await knex('chat_events').orderBy('seq').pluck('seq')) as number[]
      const heads = (await knex('chat_organizations').pluck('event_seq')) as number[]
      await knex.destroy()

      assert.deepEqual(
        seqs,
        seqs.map((_, index) => index + 1),
      )
      assert.deepEqual(heads, [seqs.length])
    })
  })

  describe(`two servers that change the same lists (${column.title})`, () => {
    it('send the complete list in the end, with each name once', async () => {
      const one = new TestHost('express', column)
      await one.start()
      const two = new TestHost('express', column, { database: one.databaseConfig })
      await two.start()
      const { people, channels, subdomain } = await one.organization()
      const { credentials, id, name } = people.adam
      const both = [people.adam, two.client(subdomain, credentials, id, name)]
      const numbers = [1, 2, 3, 4, 5, 6]

      const answers = await Promise.all(
        both.flatMap((adam, server) =>
          numbers.map(async (number) => [
            await adam.post('/realm/playgrounds', {
              name: `Site ${number} of ${server}`,
              pygments_language: 'Rust',
              url_template: 'https://play.example/{code}',
            }),
            await adam.post('/realm/filters', {
              pattern: `CASE${number}-(?P<id>[0-9]+)`,
              url_template: 'https://cases.example/{id}',
            }),
          ]),
        ),
      )
      await Promise.all([
        both[0]?.post('/default_streams', { stream_id: channels.design }),
        both[1]?.post('/default_streams', { stream_id: channels.empty }),
      ])

      const knex = createKnex(one.databaseConfig)
      const last = async (kind: string): Promise<unknown[]> => {
        const { data } = (await knex('chat_events')
          .where({ kind })
          .orderBy('seq', 'desc')
          .first('data')) as { data: string }
        return (JSON.parse(data) as Record<string, unknown[]>)[kind] ?? []
      }
      assert.equal((await last('realm_playgrounds')).length, 2 * numbers.length)
      assert.equal((await last('realm_linkifiers')).length, numbers.length)
      assert.equal(answers.flat().filter(({ status }) => status === 200).length, 18)
      assert.deepEqual(await last('default_streams'), [
        channels.general,
        channels.design,
        channels.empty,
      ])
      await knex.destroy()
      await two.stop()
      await one.stop()
    })
  })
}
