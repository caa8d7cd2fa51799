import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { after, describe, it } from 'node:test'

import { Client } from '../support/client.js'
import {
  databaseColumns,
  reportSkippedColumns,
  type DatabaseColumn,
  type TestDatabase,
} from '../support/databases.js'
import { FakeRelay } from '../support/fake-relay.js'
import { TestHost, type HostCase } from '../support/host.js'
import { e2eePath, PushReaders, roundSeconds, settle } from '../support/push-reader.js'
import { within } from '../support/waiting.js'
import { startChatProcess } from './chat-process.js'

const leaseSeconds = 60
const relayTimeoutSeconds = 15

const relay = await FakeRelay.start()
after(() => relay.stop())

/** A server in this process, on a database that another process may use. */
async function startHost(column: DatabaseColumn, database: TestDatabase): Promise<TestHost> {
  const shared = { ...column, create: async () => ({ ...database, drop: async () => {} }) }
  const host = new TestHost('koa', shared, { pushRelay: relay.address })
  await host.start()
  return host
}

async function newCase(host: TestHost): Promise<HostCase> {
  return { ...(await host.organization()), host, clock: host.clock }
}

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`notifications of a process that crashes while it sends (${column.name})`, () => {
    it('are sent by another process after the claim ends', async () => {
      const database = await column.create()
      const host = await startHost(column, database)
      const agent = new Agent({ keepAlive: true })
      try {
        const at = await newCase(host)
        const { alice, bob } = at.people
        const reads = await new PushReaders(relay).of(at, bob)
        const { child, origin } = await startChatProcess({
          database: database.config,
          pushRelay: relay.address,
        })
        const { subdomain } = alice.endpoint
        const atProcess = new Client(
          { origin, agent, subdomain },
          alice.credentials,
          alice.id,
          alice.name,
        )

        relay.hang()
        const isSending = relay.nextHeldBack()
        const id = await atProcess.whisper([bob], 'sent twice or never?')
        await isSending
        const isGone = once(child, 'exit')
        child.kill('SIGKILL')
        await within('the end of the process', isGone)
        relay.up()
        // The other process uses the real time.
        host.clock.jump(Math.floor(Date.now() / 1000) - host.clock.seconds)
        const whileClaimed = await reads.outline()
        host.clock.jump(leaseSeconds)
        const taken = await reads.outline()
        host.clock.jump(10 * leaseSeconds)

        assert.deepEqual(whileClaimed, [])
        assert.deepEqual(taken, [['message', id]])
        assert.deepEqual(await reads.outline(), [])
      } finally {
        agent.destroy()
        await host.stop()
        await database.drop()
      }
    })

    it('are sent by another process at once if the first one was shut down', async () => {
      const database = await column.create()
      const [first, next] = [await startHost(column, database), await startHost(column, database)]
      try {
        const at = await newCase(first)
        const { alice, bob } = at.people
        const reads = await new PushReaders(relay).of({ ...at, clock: next.clock }, bob)
        relay.hang()
        const isSending = relay.nextHeldBack()
        const id = await alice.whisper([bob], 'on the way')
        await isSending
        relay.up()

        await first.stop()

        assert.deepEqual(await reads.outline(), [['message', id]])
      } finally {
        await next.stop()
        await database.drop()
      }
    })

    it('are dropped if every process that sends them crashes', async () => {
      const database = await column.create()
      const first = await startHost(column, database)
      try {
        const at = await newCase(first)
        const { alice, bob } = at.people
        const reads = await new PushReaders(relay).of(at, bob)
        relay.hang()
        let isSending = relay.nextHeldBack()
        await alice.whisper([bob], 'poison')
        await isSending
        const others: TestHost[] = []
        for (const lease of [1, 2]) {
          const other = await startHost(column, database)
          others.push(other)
          other.clock.jump(lease * leaseSeconds)
          isSending = relay.nextHeldBack()
          other.clock.fire(roundSeconds)
          await isSending
        }
        relay.up()
        const last = await startHost(column, database)
        others.push(last)
        const count = relay.of(e2eePath).length

        last.clock.jump(3 * leaseSeconds)
        await settle(last)

        assert.equal(relay.of(e2eePath).length, count)
        assert.match(last.log.join('\n'), /A notification was not sent/)
        // Processes that still wait for a response change nothing.
        for (const host of [first, ...others]) host.clock.fire(relayTimeoutSeconds)
        for (const other of others) await other.stop()
        assert.deepEqual(await reads.outline(), [])
      } finally {
        await first.stop()
        await database.drop()
      }
    })
  })

  describe(`notifications of read messages when a process crashes (${column.name})`, () => {
    it('are removed by the next process', async () => {
      const database = await column.create()
      const first = await startHost(column, database)
      try {
        const at = await newCase(first)
        const { alice, bob } = at.people
        const reads = await new PushReaders(relay).of(at, bob)
        const id = await alice.whisper([bob], 'read in the last moment')
        await reads.skip()
        await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
        const next = await startHost(column, database)

        await settle(next)
        await settle(next)

        assert.deepEqual(await reads.outline(), [['remove', [id]]])
        await next.stop()
      } finally {
        await first.stop()
        await database.drop()
      }
    })
  })

  describe(`notifications of two processes (${column.name})`, () => {
    it('are sent once, whichever process is faster', async () => {
      const database = await column.create()
      const hosts = [await startHost(column, database), await startHost(column, database)]
      const [first, second] = hosts as [TestHost, TestHost]
      try {
        const at = await newCase(first)
        const { alice, bob } = at.people
        const reads = await new PushReaders(relay).of(at, bob)
        relay.down()
        const ids: number[] = []
        for (let index = 0; index < 40; index += 1) {
          ids.push(await alice.whisper([bob], `message ${index}`))
        }
        await settle(first)
        relay.up()

        for (const { clock } of hosts) clock.jump(30)
        await Promise.all(hosts.map((host) => settle(host)))
        await settle(second)

        const sent = (await reads.outline()).map((line) => (line as [string, number])[1])
        assert.deepEqual(
          sent.toSorted((a, b) => a - b),
          ids,
        )
      } finally {
        for (const host of hosts) await host.stop()
        await database.drop()
      }
    })
  })
}
