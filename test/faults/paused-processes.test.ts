import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost, type HostCase } from '../support/host.js'
import { within } from '../support/waiting.js'
import { startChatProcess } from './chat-process.js'

/** Long enough that a process that goes on without reading the log would not have read it by chance. */
const logPollMilliseconds = 1000

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`a process that was paused (${column.title})`, () => {
    const host = new TestHost('express', column)
    let at: HostCase
    let child: ChildProcess
    let elsewhere: (client: Client) => Client
    before(async () => {
      await host.start()
      at = { ...(await host.organization()), host, clock: host.clock }
      const { databaseConfig: database } = host
      const started = await startChatProcess({ database, logPollMilliseconds })
      child = started.child
      elsewhere = ({ endpoint, credentials, id, name }) =>
        new Client({ ...endpoint, origin: started.origin }, credentials, id, name)
    })
    after(async () => {
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await within('the end of the process', isGone)
      await host.stop()
    })

    /** Stops the process, and sends a request to it before it goes on. */
    async function whilePaused<Value>(
      work: () => Promise<unknown>,
      request: () => Promise<Value>,
    ): Promise<Value> {
      child.kill('SIGSTOP')
      const answer = await (async () => {
        await work()
        // Its polls before the pause do not count as current any more after two intervals.
        await new Promise((resolve) => setTimeout(resolve, 2.5 * logPollMilliseconds))
        const answering = request()
        child.kill('SIGCONT')
        return answering
      })().finally(() => child.kill('SIGCONT'))
      return answer
    }

    it('refuses a user who was deactivated meanwhile', async () => {
      const carol = elsewhere(at.people.carol)
      assert.equal((await carol.get('/users/me')).status, 200)

      const { status, body } = await whilePaused(
        () => at.people.olga.delete(`/users/${carol.id}`),
        () => carol.get('/users/me'),
      )

      assert.equal(status, 401)
      assert.equal(body.code, 'USER_DEACTIVATED')
    })

    it('refuses an API key that was replaced meanwhile', async () => {
      const bob = elsewhere(at.people.bob)
      assert.equal((await bob.get('/users/me')).status, 200)

      const { status, body } = await whilePaused(
        () => at.people.bob.post('/users/me/api_key/regenerate'),
        () => bob.get('/users/me'),
      )

      assert.equal(status, 401)
      assert.equal(body.code, 'INVALID_API_KEY')
    })

    it('does not send the text of a message that was deleted meanwhile', async () => {
      const { olga } = at.people
      const alice = elsewhere(at.people.alice)
      const { body: queue } = await alice.post('/register', { event_types: ['message'] })
      const { general } = at.channels
      const id = await elsewhere(olga).say(general, 'news', 'deleted soon')

      const { body, text } = await whilePaused(
        () => olga.delete(`/messages/${id}`),
        () =>
          alice.get('/events', { queue_id: queue.queue_id, last_event_id: -1, dont_block: true }),
      )

      assert.equal(body.result, 'success', text)
      assert.ok(!text.includes('deleted soon'), text)
    })
  })
}
