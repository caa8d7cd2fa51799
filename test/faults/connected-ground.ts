import assert from 'node:assert/strict'

import { createChatServer } from '@parley/core'
import createKnex from 'knex'

import { RedisServer } from '../redis/redis-server.js'
import { SlowProxy } from '../redis/slow-proxy.js'
import type { DatabaseColumn, TestDatabase } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { ConnectedProcess } from './connected-processes.js'
import { Reader, RoamingClient, Sender, type AnswerCounts, type Queue } from './roaming-client.js'

const senderNames = ['s0', 's1', 's2', 's3', 's4', 's5']
/** Anna reads both channels, Bert the first one, Carl neither. */
const readerNames = ['anna', 'bert', 'carl']
const names = [...senderNames, ...readerNames]

interface Clocks {
  readonly offsetSeconds: readonly [number, number, number, number]
  /** @default 1 */
  readonly speed?: number
}

/** Four processes on one database, connected through a proxy by Redis, and their clients. */
export class ConnectedGround implements AsyncDisposable {
  readonly answers: AnswerCounts = new Map()
  readonly senders: readonly Sender[]
  #ends = 0

  private constructor(
    private readonly database: TestDatabase,
    readonly redis: RedisServer,
    readonly proxy: SlowProxy,
    readonly processes: readonly ConnectedProcess[],
  ) {
    this.senders = senderNames.map((name) => new Sender(this.#client(name)))
  }

  static async start(column: DatabaseColumn, clocks: Clocks): Promise<ConnectedGround> {
    const database = await column.create()
    const chat = createChatServer({ database: database.config })
    await chat.start()
    await chat.organizations.load({
      organization: { name: 'Connected' },
      users: names.map((name, index) => ({
        id: index + 1,
        email: `${name}@connected.example`,
        full_name: name,
        api_key: apiKeyOf(name),
      })),
      channels: [
        { id: 1, name: 'one', subscribers: idsOf([...senderNames, 'anna', 'bert']) },
        { id: 2, name: 'two', subscribers: idsOf([...senderNames, 'anna']) },
        { id: 3, name: 'three', subscribers: idsOf(names) },
      ],
    })
    await chat.close()
    const knex = createKnex(database.config)
    await knex.schema.createTable('ledger', (table) => {
      table.increments('id')
      table.string('content', 100)
    })
    await knex.destroy()

    const redis = await RedisServer.started()
    const proxy = await SlowProxy.before(redis.port)
    const clockStart = Date.now()
    const processes = clocks.offsetSeconds.map(
      (clockOffsetSeconds) =>
        new ConnectedProcess({
          database: database.config,
          redisPort: proxy.port,
          clockOffsetSeconds,
          clockSpeed: clocks.speed ?? 1,
          clockStart,
        }),
    )
    const ground = new ConnectedGround(database, redis, proxy, processes)
    try {
      await Promise.all(processes.map((one) => one.start()))
      return ground
    } catch (error) {
      await ground[Symbol.asyncDispose]()
      throw error
    }
  }

  get acknowledged(): number {
    return this.senders.reduce((sum, { sent }) => sum + sent.length, 0)
  }

  /**
   * All senders send so many messages, alternately to two channels, while `meanwhile` runs. Then every
   * reader, and the consumer, must have got exactly what was acknowledged and is meant for them.
   */
  async sendDuring(messagesEach: number, meanwhile: () => Promise<void>): Promise<void> {
    const anna = new Reader(this.#client('anna'))
    const bert = new Reader(this.#client('bert'))
    const carl = new Reader(this.#client('carl'))
    const readers = [anna, bert, carl]
    await Promise.all(readers.map((reader) => reader.register()))
    const before = this.senders.map(({ sent }) => sent.length)
    this.#ends += 1
    const end = `end ${this.#ends}`
    const reading = Promise.all(readers.map((reader) => reader.until(end)))

    const sending = this.senders.map(async (sender) => {
      for (let count = 0; count < messagesEach; count += 1) await sender.send((count % 2) + 1)
    })
    await Promise.all([...sending, meanwhile()])
    const queue = await this.#client('s0').call<Queue>('POST', '/register', {})
    await this.#client('s0').call('POST', '/messages', {
      type: 'channel',
      to: 3,
      topic: 'end',
      content: end,
      queue_id: queue.queue_id,
      local_id: end,
    })
    await reading

    const sent = this.senders.map((sender, index) => sender.sent.slice(before[index]))
    const inOne = sent.map((contents) => contents.filter((content) => content.endsWith(' in 1')))
    assert.deepEqual(bySender(anna.contents), [...sent, [end]], 'what Anna got')
    assert.deepEqual(bySender(bert.contents), [...inOne, [end]], 'what Bert got')
    assert.deepEqual(carl.contents, [end], 'what Carl got')
    await this.#assertHandled(end)
  }

  /** The consumer has handled every message once, and those of each sender in order. */
  async #assertHandled(end: string): Promise<void> {
    const knex = createKnex(this.database.config)
    try {
      const contents = await until(
        'the consumer',
        async () => {
          const found: string[] = await knex('ledger').orderBy('id').pluck('content')
          return found.includes(end) && found
        },
        { seconds: 120 },
      )
      const ends = Array.from({ length: this.#ends }, (_, index) => `end ${index + 1}`)
      const sent = this.senders.map((sender) => sender.sent)
      assert.deepEqual(bySender(contents), [...sent, ends], 'what the consumer got')
    } finally {
      await knex.destroy()
    }
  }

  #client(name: string): RoamingClient {
    const key = Buffer.from(`${name}@connected.example:${apiKeyOf(name)}`).toString('base64')
    return new RoamingClient(name, `Basic ${key}`, this.processes, this.answers)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.processes) await one.kill()
    await this.proxy[Symbol.asyncDispose]()
    await this.redis[Symbol.asyncDispose]()
    await this.database.drop()
  }
}

/** The messages of each sender, and the others, in the order in which they came. */
function bySender(contents: readonly string[]): string[][] {
  const lists = [...senderNames, 'end'].map((name) =>
    contents.filter((content) => content.startsWith(`${name} `)),
  )
  assert.equal(lists.flat().length, contents.length)
  return lists
}

function idsOf(wanted: readonly string[]): number[] {
  return wanted.map((name) => names.indexOf(name) + 1)
}

function apiKeyOf(name: string): string {
  return name.padEnd(32, 'k')
}
