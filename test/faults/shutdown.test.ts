import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { describe, it } from 'node:test'

import { Client, type Answer } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { Ground, type ServerProcess } from './server-process.js'

const connections = 12
/** More requests than a server answers during the test: the client stops only on request. */
const maxRequests = 20_000

/** A client that sends one request after the other on one connection, until it is stopped. */
async function keepAsking(
  ground: Ground,
  server: ServerProcess,
  onAnswer: () => void,
): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const known = ground.client(server, 'anna')
  const client = new Client({ ...known.endpoint, agent }, known.credentials, known.id, known.name)
  const answers: Answer[] = []
  try {
    while (answers.length < maxRequests) {
      const answer = await (answers.length % 4 === 0
        ? client.post('/messages', { type: 'direct', to: [client.id], content: 'under load' })
        : client.get('/users/me'))
      answers.push(answer)
      onAnswer()
      if (answer.headers.connection === 'close') break
    }
  } finally {
    agent.destroy()
  }
  return answers
}

for (const database of databaseColumns()) {
  describe(`SIGTERM under load (${database.name})`, () => {
    it('rejects and resets no request of clients with open connections', async () => {
      const ground = await Ground.create(database, ['anna'])
      try {
        const server = ground.server()
        await server.start()
        const anna = ground.client(server, 'anna')
        const { body } = await anna.post('/register', { event_types: [], fetch_event_types: [] })
        const poll = anna.get('/events', { queue_id: body.queue_id })
        let count = 0
        let stopping: Promise<void> | undefined

        const all = await Promise.all(
          Array.from({ length: connections }, () =>
            keepAsking(ground, server, () => {
              count += 1
              if (count === 300) stopping = server.stop()
            }),
          ),
        )
        await stopping

        const statuses = new Set(all.flat().map(({ status }) => status))
        assert.deepEqual(statuses, new Set([200]))
        for (const answers of all) assert.equal(answers.at(-1)?.headers.connection, 'close')
        const { status, headers } = await poll
        assert.deepEqual([status, headers.connection], [200, 'close'])
        assert.equal(server.exitCode, 0)
      } finally {
        await ground.remove()
      }
    })
  })
}
