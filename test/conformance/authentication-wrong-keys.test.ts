import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, it } from 'node:test'

import { Client, type Answer } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { webhookBot } from '../support/incoming-webhooks.js'

const agents = new Map<string, Agent>()
after(() => {
  for (const agent of agents.values()) agent.destroy()
})

/** A client at a loopback address, with the key of a user or another one. */
function clientAt({ host, subdomain }: HostCase, address: string, user?: Client, key?: string) {
  const agent = agents.get(address) ?? new Agent({ keepAlive: true, localAddress: address })
  agents.set(address, agent)
  const credentials = user && { email: user.email, apiKey: key ?? user.credentials?.apiKey ?? '' }
  return new Client({ origin: host.origin, agent, subdomain }, credentials, 0, 'client')
}

let made = 0
const wrongKey = (): string => String((made += 1)).padStart(32, 'x')
const codeOf = ({ status, body }: Answer): unknown[] => [status, body.code]
const invalid = [401, 'INVALID_API_KEY']
const limited = [429, 'RATE_LIMIT_HIT']

/** Sends wrong keys until they are limited. */
async function guess(at: HostCase, address: string): Promise<void> {
  const guesses: unknown[] = []
  for (let count = 0; count < 4; count += 1) {
    guesses.push(codeOf(await clientAt(at, address, at.people.bob, wrongKey()).get('/users/me')))
  }
  assert.deepEqual(guesses, [invalid, invalid, invalid, limited])
}

everyDatabase(
  'Wrong API keys',
  'express',
  (at) => {
    it('are limited by address, and no right key is, beyond a new one for a minute', async () => {
      const { alice, bob } = at.people
      const before = await clientAt(at, '127.0.11.1', alice).get('/users/me')
      await guess(at, '127.0.11.1')

      const after = await clientAt(at, '127.0.11.1', alice).get('/users/me')
      const other = await clientAt(at, '127.0.11.1', bob).get('/users/me')
      const elsewhere = await clientAt(at, '127.0.11.2', bob).get('/users/me')

      assert.deepEqual([before.status, after.status, elsewhere.status], [200, 200, 200])
      assert.deepEqual(codeOf(other), limited)
      assert.equal(other.headers['retry-after'], String(Math.ceil(other.body['retry-after'])))
      at.clock.advance(61)
      const { carol } = at.people
      assert.equal((await clientAt(at, '127.0.11.1', carol).get('/users/me')).status, 200)
    })

    it('do not end what a user does whose account changes', async () => {
      const { alice } = at.people
      const client = clientAt(at, '127.0.12.1', alice)
      assert.equal((await client.get('/users/me')).status, 200)
      await guess(at, '127.0.12.1')

      assert.equal((await client.patch('/settings', { full_name: 'Alice Again' })).status, 200)

      assert.equal((await client.get('/users/me')).body.full_name, 'Alice Again')
    })

    it('in a query count in the same limit', async () => {
      const bot = await webhookBot(at.people.alice)
      const client = clientAt(at, '127.0.13.1')
      const post = (key: string): Promise<Answer> =>
        client.post(`/external/slack_incoming?api_key=${key}&stream=general`, { text: 'x' })
      await guess(at, '127.0.13.1')

      assert.deepEqual(codeOf(await post(wrongKey())), limited)
      assert.deepEqual(codeOf(await post(bot.api_key)), limited)
    })
  },
  { rateLimits: { wrongKeyByAddress: [{ windowSeconds: 60, maxRequests: 3 }] } },
)
