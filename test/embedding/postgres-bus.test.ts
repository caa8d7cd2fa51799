import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type EphemeralEvent } from '@parley/core'
import { BrokerBus } from '@parley/core/bus'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import createKnex, { type Knex } from 'knex'

import { PostgresBroker } from '../../packages/core/src/storage/connections/postgres-broker.js'
import { postgresColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { until, within } from '../support/waiting.js'
import { Product } from './product.js'

const key = randomBytes(32)
const sample: EphemeralEvent = {
  organizationId: 1,
  kind: 'typing/start',
  userIds: [7],
  data: { name: 'sample' },
}
/** A connection as the driver makes it, which is subscribed to the channel of an organization. */
interface Listening {
  query(sql: string, values?: readonly unknown[]): Promise<unknown>
  on(event: 'notification', listener: (seen: { readonly payload: string }) => void): void
  end(): Promise<void>
}

reportSkippedColumns()
for (const column of postgresColumns()) {
  describe('processes on one PostgreSQL database', () => {
    let database: TestDatabase
    let knex: Knex
    const endings: (() => unknown)[] = []
    before(async () => {
      database = await column.create()
      knex = createKnex(database.config)
    })
    after(async () => {
      for (const end of endings.toReversed()) await end()
      await knex.destroy()
      await database.drop()
    })

    const warnings: string[] = []
    const logger = {
      debug() {},
      info() {},
      warn: (text: string) => void warnings.push(text),
      error: (text: string) => void warnings.push(text),
    }
    /** A server that never polls its log, because its clock does not move. */
    const startedChat = async (isFirst: boolean) => {
      const chat = createChatServer({
        database: database.config,
        secret: 'the secret of both processes of a product',
        baseUrl: 'https://chat.example',
        rateLimits: 'off',
        clock: new FakeClock(),
        logger,
      })
      endings.push(() => chat.close())
      await chat.start()
      const product = await Product.listen(express().use(createChatMiddleware(chat)))
      endings.push(() => product[Symbol.asyncDispose]())
      const cast = product.cast()
      if (isFirst) await chat.organizations.load(cast.file)
      return { chat, people: cast.people }
    }
    let one: Awaited<ReturnType<typeof startedChat>>
    let two: typeof one
    before(async () => {
      one = await startedChat(true)
      two = await startedChat(false)
    })
    const isUp = async ({ chat }: typeof one): Promise<boolean> =>
      (await chat.health()).bus === 'up'

    it('wake each other for messages without Redis', async () => {
      assert.ok((await isUp(one)) && (await isUp(two)))
      const feed = await two.people.bob.listen({ event_types: ['message'] })

      const received = feed.until('the message', ({ message }) => message?.content === 'hi')
      await one.people.alice.whisper([one.people.bob], 'hi')

      assert.equal((await within('the message', received)).length, 1)
      assert.deepEqual(warnings, [])
    })

    it('carry typing notifications, each once', async () => {
      const { alice, bob } = one.people
      const isTyping = ({ type }: { type: string }): boolean => type === 'typing'
      const feeds = [
        await bob.listen({ event_types: ['typing'] }),
        await two.people.bob.listen({ event_types: ['typing'] }),
      ]

      await alice.post('/typing', { op: 'start', type: 'direct', to: [bob.id] })

      for (const feed of feeds) {
        const events = await feed.until('the notification', isTyping)
        assert.equal([...events, ...(await feed.drain())].filter(isTyping).length, 1)
      }
    })

    it('are connected again after the server has ended their connections', async () => {
      await knex.raw(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (query LIKE '%pg_notify%' OR query LIKE '%clock_timestamp%' OR query LIKE 'LISTEN%')`,
      )
      const feed = await two.people.bob.listen({ event_types: ['typing'] })

      // Whatever is typed before both are connected is lost.
      await until('a notification', async () => {
        const { alice, bob } = one.people
        await alice.post('/typing', { op: 'start', type: 'direct', to: [bob.id] })
        return (await feed.drain()).length > 0
      })
      await until('both', async () => (await isUp(one)) && (await isUp(two)))
    })

    /** A bus without a chat, and what it has passed on and refused. */
    const connectedBus = async () => {
      const received: EphemeralEvent[] = []
      const heads: string[] = []
      const refused: string[] = []
      const bus = new BrokerBus(new PostgresBroker(() => createKnex(database.config)), 'parley')
      endings.push(() => bus.close())
      bus.subscribe({
        onRecords() {},
        onHead: (organizationId, seq) => heads.push(`${organizationId}/${seq}`),
        onEphemeral: (event) => received.push(event),
      })
      bus.follow(1)
      await bus.connect('sample', { key, refuse: (reason) => refused.push(reason) })
      await until('the bus to be connected', () => bus.isConnected)
      return { bus, received, heads, refused }
    }

    it('send numbers of the log, no text, and accept only what a process has signed', async () => {
      const sender = await connectedBus()
      const receiver = await connectedBus()
      const listening = (await knex.client.acquireRawConnection()) as Listening
      endings.push(() => listening.end())
      const seen: string[] = []
      listening.on('notification', ({ payload }) => seen.push(payload))
      await listening.query('LISTEN "parley:sample:1"')

      const record = { seq: 5, kind: 'message', data: { content: 'for nobody else' } }
      sender.bus.publishRecords(1, [record as never])
      await until('the number', () => receiver.heads.includes('1/5'))
      await until('the text', () => seen.length > 0)
      assert.match(seen[0] ?? '', /^head [\w-]{43} 5$/)

      for (const text of ['', 'head 6', `head ${'x'.repeat(43)} 7`, seen[0]?.replace(/5$/, '8')]) {
        await listening.query('SELECT pg_notify($1, $2)', ['parley:sample:1', text])
      }
      sender.bus.publishRecords(1, [{ ...record, seq: 9 } as never])
      await until('the next number', () => receiver.heads.includes('1/9'))
      assert.deepEqual(receiver.heads, ['1/5', '1/9'])
      assert.deepEqual(receiver.refused, Array(4).fill('authentication'))
    })

    it('send an event of many users in parts that the server takes', async () => {
      const sender = await connectedBus()
      const receiver = await connectedBus()
      const userIds = Array.from({ length: 5000 }, (_, index) => 1_000_000 + index)
      await until('an event, which needs the clock of the server', () => {
        sender.bus.publishEphemeral(sample)
        return receiver.received.length > 0
      })

      sender.bus.publishEphemeral({ ...sample, kind: 'typing/stop', userIds })

      const stops = () => receiver.received.filter(({ kind }) => kind === 'typing/stop')
      await until('all users', () => stops().flatMap((event) => event.userIds).length >= 5000)
      assert.ok(stops().length > 4)
      assert.deepEqual(
        stops().flatMap((event) => event.userIds),
        userIds,
      )
    })
  })
}
