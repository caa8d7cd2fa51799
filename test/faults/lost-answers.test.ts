import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'

import type { Knex } from 'knex'

import { allDatabaseColumns, existingDatabase, reportSkippedColumns } from '../support/databases.js'
import { TestHost, type HostCase } from '../support/host.js'
import { until } from '../support/waiting.js'

/** What happens to the next commit of a message. */
type Fault = 'answer is lost' | 'commit is lost' | 'server is away'

/** A COMMIT as the drivers send it, to MySQL and to PostgreSQL. */
const commits = /^(....\x03|Q....)commit/is

/** A TCP proxy in front of a database server that loses commits or their answers. */
class LosingProxy {
  fault: Fault | undefined
  /** What the transaction that is meant has written; a prepared statement is sent without its text. */
  content = ''
  hits = 0
  /** Connections while it was away. */
  refused = 0
  #server!: Server
  readonly #sockets = new Set<Socket>()
  #isAway = false

  constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  async listen(): Promise<number> {
    this.#server = createServer((client) => this.#serve(client)).listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  comeBack(): void {
    this.#isAway = false
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(client: Socket): void {
    if (this.#isAway) {
      this.refused += 1
      client.destroy()
      return
    }
    const server = connect(this.target.port, this.target.host)
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    let losesAnswer = false
    let hasMessage = false
    client.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      const { fault } = this
      if (fault !== undefined && text.includes(this.content)) hasMessage = true
      if (fault !== undefined && hasMessage && commits.test(text)) {
        this.fault = undefined
        this.hits += 1
        if (fault === 'commit is lost') {
          end()
          return
        }
        losesAnswer = true
        this.#isAway = fault === 'server is away'
      }
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (losesAnswer) end()
      else client.write(bytes)
    })
  }
}

reportSkippedColumns()
for (const column of allDatabaseColumns().filter(({ name }) => name !== 'sqlite')) {
  describe(`a commit whose answer is lost (${column.title})`, () => {
    const host = new TestHost('koa', column)
    let proxy: LosingProxy
    let behind: TestHost
    let at: HostCase
    before(async () => {
      await host.start()
      at = { ...(await host.organization()), host, clock: host.clock }
      const connection = host.databaseConfig.connection as Knex.MySql2ConnectionConfig
      proxy = new LosingProxy({ host: connection.host ?? '', port: connection.port ?? 0 })
      const proxied = { ...connection, port: await proxy.listen() }
      const config = { ...host.databaseConfig, connection: proxied }
      behind = new TestHost('express', existingDatabase(column, config))
      await behind.start()
    })
    after(async () => {
      await behind.stop()
      await proxy.close()
      await host.stop()
    })

    const send = (content: string) => {
      proxy.content = content
      return behind
        .clientOf(at.people.alice)
        .post('/messages', { type: 'channel', to: at.channels.general, topic: 'news', content })
    }
    const stored = async (content: string): Promise<number[]> => {
      const { body } = await at.people.bob.get('/messages', { anchor: 'newest', num_before: 20 })
      return (body.messages as { id: number; content: string }[])
        .filter((message) => message.content.includes(content))
        .map(({ id }) => id)
    }

    it('is answered with what was stored, and sends its event', async () => {
      const { bob } = at.people
      const reader = behind.clientOf(bob)
      const { body: queue } = await reader.post('/register', { event_types: ['message'] })
      proxy.fault = 'answer is lost'

      const { status, body, text } = await send('stored once')

      assert.equal(proxy.hits, 1)
      assert.equal(status, 200, text)
      assert.deepEqual(await stored('stored once'), [body.id])
      const { body: events } = await reader.get('/events', {
        queue_id: queue.queue_id,
        last_event_id: queue.last_event_id,
      })
      assert.equal(events.events[0].message.id, body.id)
    })

    it('that was lost itself is refused, and can be repeated', async () => {
      const { hits } = proxy
      proxy.fault = 'commit is lost'

      const { status, body } = await send('not stored')

      assert.equal(proxy.hits, hits + 1)
      assert.equal(status, 503)
      assert.equal(body.code, 'SERVICE_UNAVAILABLE')
      assert.deepEqual(await stored('not stored'), [])
      assert.equal((await send('not stored')).status, 200)
    })

    it('is answered when the server is back', async () => {
      const { hits } = proxy
      proxy.fault = 'server is away'

      const sending = send('stored before the end')
      await until('the proxy to refuse connections', () => proxy.hits > hits && proxy.refused > 0)
      proxy.comeBack()
      const { status, body, text } = await sending

      assert.equal(status, 200, text)
      assert.deepEqual(await stored('stored before the end'), [body.id])
    })
  })
}
