import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { Client } from '../support/client.js'
import { TestHost } from '../support/host.js'
import { RateLimitServer } from '../support/tcp-rate-limits.js'
import { until } from '../support/waiting.js'
import { startChatProcess } from './chat-process.js'

reportSkippedColumns()
const [column] = databaseColumns()
if (column === undefined) throw new Error('There is no database to test with.')

describe('rate limits that two processes share', () => {
  const host = new TestHost('koa', column)
  const store = new RateLimitServer()
  const processes: { child: ChildProcess; origin: string; output: () => string }[] = []
  let clientsOf: (user: Client) => Client[]
  let people: Record<'alice' | 'bob', Client>

  before(async () => {
    await host.start()
    const cast = await host.organization()
    people = cast.people
    await store.start()
    const { databaseConfig: database } = host
    for (let index = 0; index < 2; index += 1) {
      processes.push(await startChatProcess({ database, migrations: 'off' }, store.port))
    }
    clientsOf = ({ endpoint, credentials, id, name }) =>
      processes.map(({ origin }) => new Client({ ...endpoint, origin }, credentials, id, name))
  })
  after(async () => {
    for (const { child } of processes) {
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await isGone
    }
    await store.stop()
    await host.stop()
  })

  it('count the requests of both', async () => {
    const [one, two] = clientsOf(people.alice) as [Client, Client]
    const remaining: unknown[] = []
    for (const client of [one, two, one, two, one, two]) {
      const { status, headers } = await client.get('/users/me')
      assert.equal(status, 200)
      remaining.push(headers['x-ratelimit-remaining'])
    }

    assert.deepEqual(remaining, ['5', '4', '3', '2', '1', '0'])
    for (const client of [one, two]) {
      const { status, body, headers } = await client.get('/users/me')
      assert.deepEqual([status, body.code], [429, 'RATE_LIMIT_HIT'])
      assert.ok(Number(headers['retry-after']) > 0)
    }
    for (const key of store.keys) assert.match(key, /^[\x21-\x7e]{1,200}$/)
  })

  it('allow as many of simultaneous requests as of others', async () => {
    const clients = clientsOf(people.bob)

    const answers = await Promise.all(
      clients.flatMap((client) => Array.from({ length: 10 }, () => client.get('/users/me'))),
    )

    assert.equal(answers.filter((answer) => answer.status === 200).length, 6)
    assert.equal(answers.filter((answer) => answer.status === 429).length, 14)
  })

  it('are counted by each process while the store is away, with one line in the log', async () => {
    await store.stop()
    const clients = clientsOf(people.alice)
    const away = 'The store of rate limits is away'

    for (const client of clients) {
      const statuses: number[] = []
      for (let index = 0; index < 7; index += 1) {
        statuses.push((await client.get('/users/me')).status)
      }
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429])
    }
    for (const { output } of processes) assert.equal(output().split(away).length - 1, 1)

    await store.start()
    const [one] = clients
    await until('the store to be back', async () => {
      await one?.get('/users/me')
      return processes[0]?.output().includes('The store of rate limits is back') === true
    })
    const { status } = (await one?.get('/users/me')) ?? {}
    assert.equal(status, 429, 'what it has counted before')
  })
})
