import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'

import type { Connection } from '../../packages/client/src/connection.js'
import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { SocketClient } from '../support/socket-client.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'
import { Told } from './told.js'

// As in a browser, which only shows them; without it, they are uncaught exceptions.
Object.assign(globalThis, { reportError: () => {} })

everyDatabase(
  'a connection that the server ends',
  'express',
  (at) => {
    let told: Told
    let connection: Connection
    beforeEach(() => {
      told = new Told()
    })
    afterEach(() => connection.close())

    async function connected(user: Client): Promise<string> {
      connection = chatClientOf(user).connection({ event_types: ['message'] }, told)
      connection.open()
      await until('the connection', () => told.isConnected)
      return told.registrations[0]?.queue_id ?? ''
    }

    const hasQueue = async (user: Client, queue_id: string): Promise<boolean> => {
      const answer = await user.get('/events', { queue_id, last_event_id: -1, dont_block: true })
      return answer.status === 200
    }

    it('because another client has taken over its queue: it says so, and leaves it alone', async () => {
      const { alice, bob } = at.people
      const queueId = await connected(bob)
      const other = await SocketClient.open(bob, { queue_id: queueId, last_event_id: -1 })
      await until('the end', () => connection.state.kind === 'replaced')
      connection.retryNow()
      await connection.close()
      await alice.say(at.channels.general, 'replaced', 'hello')
      const [event] = await other.events(1)
      assert.equal(event?.type, 'message')
      assert.deepEqual(told.events, [])
      assert.equal(told.registrations.length, 1)
      other.socket.close()

      connection.open()
      await until('a queue of its own', () => told.isConnected)
      assert.notEqual(told.registrations[1]?.queue_id, queueId)
    })

    it('because the account is deactivated: the user is signed out', async () => {
      await connected(at.people.carol)
      const answer = await at.people.olga.delete(`/users/${at.people.carol.id}`)
      assert.equal(answer.status, 200)
      await until('the end', () => connection.state.kind === 'signedOut')
      assert.deepEqual(connection.state, {
        kind: 'signedOut',
        code: 'USER_DEACTIVATED',
        reason: 'Account is deactivated',
      })
      assert.equal(told.registrations.length, 1)
    })

    it('because its API key has ended: it continues with another one', async () => {
      const { alice, adam } = at.people
      let { apiKey } = adam.credentials ?? { apiKey: '' }
      let calls = 0
      const authorization = async (): Promise<string> => {
        calls += 1
        return `Basic ${btoa(`${adam.email}:${apiKey}`)}`
      }
      const credentials = { type: 'provider', authorization } as const
      connection = chatClientOf(adam, { credentials }).connection(
        { event_types: ['message'] },
        told,
      )
      connection.open()
      await until('the connection', () => told.isConnected)
      const answer = await adam.post('/users/me/api_key/regenerate')
      apiKey = answer.body.api_key
      await until('another connection', () => told.states.length === 4 && told.isConnected)
      await alice.say(at.channels.general, 'another key', 'hello')
      await until('the event', () => told.contents.length > 0)
      assert.deepEqual(
        told.states.map(({ kind }) => kind),
        ['connecting', 'connected', 'connecting', 'connected'],
      )
      assert.equal(told.registrations.length, 1)
      assert.equal(calls, 2)
    })

    it('or the application, which opens it again at once: it is open', async () => {
      await connected(at.people.bob)
      const closing = connection.close()
      connection.open()
      await closing
      await until('another connection', () => told.registrations.length === 2 && told.isConnected)
      const kinds = told.states.map(({ kind }) => kind)
      assert.deepEqual(kinds, ['connecting', 'connected', 'closed', 'connecting', 'connected'])
    })

    it('or the application, whose functions throw all the time: errors go to `onError`', async () => {
      const { alice, bob } = at.people
      const errors: unknown[] = []
      const client = chatClientOf(bob, {
        onError(error) {
          errors.push(error)
          throw new Error('of onError')
        },
      })
      const problem = new Error('of the application')
      const own = told.changed.bind(told)
      told.changed = (state) => {
        own(state)
        throw problem
      }
      connection = client.connection({ event_types: ['message'] }, told)
      connection.open()
      await until('the connection', () => told.isConnected)
      await alice.say(at.channels.general, 'thrown', 'hello')
      await until('the event', () => told.contents.length > 0)
      assert.deepEqual(errors, [problem, problem])
    })

    it('because the queue is gone: it registers again', async () => {
      const queueId = await connected(at.people.bob)
      await at.people.bob.delete('/events', { queue_id: queueId })
      await until('another queue', () => told.registrations.length === 2 && told.isConnected)
    })

    for (const [what, name] of [
      ['a registration', 'registered'],
      ['an event', 'received'],
    ] as const) {
      it(`or the application, which fails to take ${what}: its queue is deleted`, async () => {
        const { alice, bob } = at.people
        const failing = told
        const own = failing[name].bind(failing) as (given: never) => void
        let failures = 0
        let lost = ''
        failing[name] = (given: never) => {
          if (failures === 0) {
            failures += 1
            lost = name === 'registered' ? (given as { queue_id: string }).queue_id : lost
            throw new Error('a garbled state')
          }
          own(given)
        }
        if (name === 'registered') await connected(bob)
        else {
          lost = await connected(bob)
          await alice.say(at.channels.general, 'failures', 'lost')
          await until('another queue', () => told.registrations.length === 2 && told.isConnected)
        }
        await until('the deletion', async () => !(await hasQueue(bob, lost)))
      })
    }
  },
  { resolveOrganization: undefined } as never,
)
