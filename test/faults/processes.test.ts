import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Client } from '../support/client.js'
import {
  allDatabaseColumns,
  databaseColumnsOf,
  reportSkippedColumns,
} from '../support/databases.js'
import { within } from '../support/waiting.js'
import { Listener } from './listener.js'
import { assertKept, emptyOutcome, messagesEach, sendAll } from './message-storm.js'
import { Ground, type ServerProcess } from './server-process.js'

const senderNames = Array.from({ length: 20 }, (_, index) => `s${index}`)
const listenerNames = ['anna', 'bert']
reportSkippedColumns()

for (const column of allDatabaseColumns()) {
  describe(`a server process that is killed (${column.name})`, () => {
    let ground: Ground
    let server: ServerProcess

    before(async () => {
      ground = await Ground.create(column, [...senderNames, ...listenerNames])
      server = ground.server()
      await server.start()
    })
    after(() => ground.remove())

    it('loses no acknowledged message, and its queues continue', async () => {
      const listeners = await Promise.all(
        listenerNames.map((name) => Listener.register([ground.client(server, name)])),
      )
      const listening = Promise.all(listeners.map((listener) => listener.until('the end')))
      const outcome = emptyOutcome()
      const killAt = [60, 150]
      let answers = 0
      let restarting = Promise.resolve()

      await Promise.all(
        senderNames.map((name) =>
          sendAll(ground.client(server, name), outcome, () => {
            answers += 1
            if (answers !== killAt[0]) return
            killAt.shift()
            restarting = restarting.then(() => server.kill()).then(() => server.start())
          }),
        ),
      )
      await restarting
      const last = { type: 'channel', to: 1, topic: 'storm', content: 'the end' }
      assert.equal((await ground.client(server, 'anna').post('/messages', last)).status, 200)
      await listening

      assert.deepEqual(killAt, [], 'it was killed as often as planned')
      assert.ok(outcome.unknown.size > 0, 'it was killed during requests')
      for (const listener of listeners) assertKept(listener, outcome, senderNames)
    })

    it('exits at SIGTERM, also with waiting clients', async () => {
      const anna = ground.client(server, 'anna')
      const { body } = await anna.post('/register', { fetch_event_types: [] })
      const poll = anna.get('/events', { queue_id: body.queue_id, last_event_id: -1 })
      // The response to a later request on the same server implies that the poll was received.
      await anna.get('/server_settings')

      // A poll without events is answered after 55 seconds.
      await within('the end of the server', server.stop(), { seconds: 40 })
      const answer = await poll.catch(() => undefined)

      assert.equal(server.exitCode, 0, server.output)
      if (answer !== undefined) assert.deepEqual(answer.body.events, [])
      assert.doesNotMatch(server.output, /error|warn/i)
    })
  })
}

for (const column of databaseColumnsOf('two server processes on one database')) {
  describe(`two server processes on one database (${column.name})`, () => {
    let ground: Ground
    let servers: ServerProcess[]

    before(async () => {
      ground = await Ground.create(column, [...senderNames, ...listenerNames])
      servers = [ground.server(), ground.server()]
      // Concurrently, on an empty database.
      await Promise.all(servers.map((server) => server.start()))
    })
    after(() => ground.remove())

    it('serve a client that alternates between them, whichever process has written', async () => {
      const listeners = await Promise.all(
        listenerNames.map((name) =>
          Listener.register(servers.map((server) => ground.client(server, name))),
        ),
      )
      const listening = Promise.all(listeners.map((listener) => listener.until('the end')))
      const outcome = emptyOutcome()

      await Promise.all(
        senderNames.map((name, index) =>
          sendAll(ground.client(servers[index % 2] as ServerProcess, name), outcome, () => {}),
        ),
      )
      const last = { type: 'channel', to: 1, topic: 'storm', content: 'the end' }
      await ground.client(servers[1] as ServerProcess, 'bert').post('/messages', last)
      await listening

      assert.equal(outcome.acknowledged.size, senderNames.length * messagesEach)
      for (const listener of listeners) assertKept(listener, outcome, senderNames)
    })

    it('both remove a queue that one of them deletes', async () => {
      const [first, second] = servers.map((server) => ground.client(server, 'anna')) as [
        Client,
        Client,
      ]
      const { body } = await first.post('/register', { fetch_event_types: [] })
      const params = { queue_id: body.queue_id, last_event_id: -1 }
      const atSecond = second.get('/events', params)
      await second.get('/events', { queue_id: 'x' })

      await first.delete('/events', { queue_id: body.queue_id })
      const waiting = await atSecond
      const { status } = await second.get('/events', { ...params, dont_block: true })

      assert.deepEqual(waiting.body.events ?? [], [])
      assert.equal(status, 400)
    })
  })
}
