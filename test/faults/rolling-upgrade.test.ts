import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { after, before, describe, it } from 'node:test'

import { createChatServer } from '@parley/core'
import createKnex from 'knex'

import { migrations } from '../../packages/core/src/resources/tables.js'
import type { Migration } from '../../packages/core/src/storage/migrations/migration.js'
import { castOf, type Cast } from '../support/cast.js'
import { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import type { EventFeed } from '../support/event-feed.js'
import { migrate } from '../support/migrating-process.js'
import { startChatProcess } from './chat-process.js'

/** What the next release may do while processes of this one serve: see CONTRIBUTING.md. */
const expand: Migration = {
  name: '0002-expand',
  up(context) {
    for (const table of ['messages', 'events', 'users', 'event_queues', 'scheduled_messages']) {
      context.raw(`ALTER TABLE ${context.table(table)} ADD COLUMN of_next_release INTEGER NULL`)
    }
    context.create('things_of_next_release', (t) => {
      t.increments('id')
      t.integer('organization_id').notNullable().index()
      t.integer('message_id').notNullable()
    })
  },
}

const messagesEach = 15

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`a rolling upgrade (${column.title})`, () => {
    const agent = new Agent({ keepAlive: true })
    const processes: ChildProcess[] = []
    let [old, next] = ['', '']
    let database: TestDatabase
    /** The users as clients of the process that was started first. */
    let cast: Cast

    async function startProcess(): Promise<string> {
      const { child, origin } = await startChatProcess({
        database: database.config,
        migrations: 'check',
        logPollMilliseconds: 50,
      })
      processes.push(child)
      return origin
    }

    function at(origin: string, { credentials, id, name }: Client): Client {
      return new Client({ origin, agent, subdomain: 'upgrade' }, credentials, id, name)
    }

    async function contents(feed: EventFeed): Promise<readonly string[]> {
      return (await feed.drain()).map(({ message }) => message.content as string)
    }

    before(async () => {
      database = await column.create()
      cast = castOf(100, 'upgrade', {}, (credentials, id, name) =>
        at('', { credentials, id, name } as Client),
      )
      const chat = createChatServer({ database: database.config })
      await chat.start()
      await chat.organizations.load(cast.file)
      await chat.close()
    })
    after(async () => {
      agent.destroy()
      for (const child of processes) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const isGone = once(child, 'exit')
        child.kill('SIGKILL')
        await isGone
      }
      await database.drop()
    })

    it('delivers every message once in the processes of both versions', async () => {
      const { alice, bob, carol } = cast.people
      old = await startProcess()
      const atOld = await at(old, bob).listen({ event_types: ['message'] })
      const sent: string[] = []
      const over = new AbortController()
      const sendAt = async (origin: string, name: string): Promise<void> => {
        const client = at(origin, alice)
        for (let count = 0; count < messagesEach || !over.signal.aborted; count += 1) {
          const content = `${name} ${count}`
          await client.say(cast.channels.general, 'upgrade', content)
          sent.push(content)
        }
      }

      const sending = sendAt(old, 'old')
      await migrate(database, undefined, [...migrations, expand])
      next = await startProcess()
      const atNext = await at(next, carol).listen({ event_types: ['message'] })
      const isFirst = sent.length
      const sendingToo = sendAt(next, 'next')
      over.abort()
      await Promise.all([sending, sendingToo])
      const knex = createKnex(database.config)
      // A row as the next release writes it; the code of this one reads the table nevertheless.
      await knex('chat_messages').update({ of_next_release: 1 })
      await knex.destroy()
      const [byOld, byNext] = [await contents(atOld), await contents(atNext)]

      assert.deepEqual(byOld.toSorted(), sent.toSorted())
      assert.deepEqual(byNext, byOld.slice(byOld.length - byNext.length))
      assert.ok(byNext.length >= sent.length - isFirst)
    })

    it('lets clients of a process that ends continue at the other one', async () => {
      const { alice, bob } = cast.people
      const feed = await at(old, bob).listen({ event_types: ['message'] })
      await at(old, alice).say(cast.channels.general, 'upgrade', 'through the old one')
      const oldProcess = processes[0] ?? assert.fail()
      const isGone = once(oldProcess, 'exit')
      oldProcess.kill('SIGKILL')
      await isGone
      await at(next, alice).say(cast.channels.general, 'upgrade', 'through the next one')

      const { body } = await at(next, bob).get('/events', {
        queue_id: feed.queueId,
        last_event_id: feed.lastEventId,
        dont_block: true,
      })

      assert.deepEqual(
        (body.events as { message: { content: string } }[]).map(({ message }) => message.content),
        ['through the old one', 'through the next one'],
      )
    })
  })
}
