import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { MailServer } from '../support/mail-server.js'
import { batchingSeconds } from '../support/missed-mails.js'
import { until, within } from '../support/waiting.js'
import { startChatProcess } from './chat-process.js'

const baseUrl = 'https://chat.example'
const leaseSeconds = 180
const roundSeconds = 10

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`mails whose process is killed (${column.name})`, () => {
    it('are sent again by another process, with the same Message-ID, and none is lost', async () => {
      const server = new MailServer()
      await server.start()
      const host = new TestHost('koa', column, { mail: server.sender, baseUrl })
      await host.start()
      // The other process uses the real time, in which the mails are due at once.
      host.clock.jump(Date.now() / 1000 - batchingSeconds - 5 - host.clock.seconds)
      const { alice, bob, olga } = (await host.organization()).people
      await alice.whisper([bob], 'to Bob')
      await alice.whisper([olga], 'to Olga')
      const answer = server.holdAnswers()
      const { child } = await startChatProcess(
        { database: host.databaseConfig, baseUrl },
        0,
        server.port,
      )
      // The mail server has accepted the mails; the process does not know it yet.
      await until('the mails of the process', () => server.received.length === 2)

      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await within('the end of the process', isGone)
      answer()
      host.clock.jump(Date.now() / 1000 + leaseSeconds + 1 - host.clock.seconds)
      await until(
        'the mails of the other process',
        () => {
          host.clock.fire(roundSeconds)
          return [bob, olga].every(({ email }) => server.copies(email).length === 2)
        },
        { instead: () => [server.received.map(({ subject }) => subject), host.log] },
      )
      await host.stop()
      await server.stop()

      for (const [client, text] of [
        [bob, /to Bob/],
        [olga, /to Olga/],
      ] as const) {
        const [first, second] = server.copies(client.email)
        assert.match(first?.text ?? '', text)
        assert.equal(first?.text, second?.text)
        assert.ok(first?.messageId !== undefined)
        assert.equal(first.messageId, second?.messageId)
      }
      assert.equal(server.received.length, 4)
    })
  })
}
