import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer } from '../support/client.js'
import { everyHost, type HostCase, type HostOptions } from '../support/host.js'

const ada = { externalId: 'ada', email: 'ada@app.example', fullName: 'Ada' }
const cookie = 'session=ada'
const product: HostOptions = {
  identify: ({ headers }) => (headers.cookie === cookie ? ada : null),
  trustedOrigins: ['https://app.example'],
}

const poll = (at: HostCase, headers: Record<string, string>): Promise<Answer> =>
  at.nobody.get('/events', { dont_block: true }, { cookie, ...headers })

function checkPages(at: HostCase, own: () => string): void {
  it('registers no queue for pages of other sites, from which browsers send GET requests', async () => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { referer: 'https://evil.example/' },
      { referer: `${own()}.evil.example/` },
      { referer: `${own()}/`, 'sec-fetch-site': 'cross-site' },
      { referer: `${own()}/`, origin: 'https://evil.example' },
    ]) {
      const { status, body } = await poll(at, headers)
      assert.deepEqual([status, body.code], [403, 'CSRF_FAILED'], JSON.stringify(headers))
    }
  })

  it('registers queues for pages of the server itself and of trusted origins', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: own() },
      { referer: `${own()}/page?of=ours` },
      { origin: 'https://app.example', 'sec-fetch-site': 'same-site' },
      { referer: 'https://app.example/' },
    ]) {
      assert.equal((await poll(at, headers)).status, 200, JSON.stringify(headers))
    }
  })
}

everyHost(
  'get-events',
  (at) => {
    checkPages(at, () => at.host.origin)

    it('requires no origin with API keys, and more than a referrer for writes', async () => {
      const headers = { cookie, referer: `${at.host.origin}/` }
      const written = await at.nobody.send('POST', '/register', '', headers)

      assert.deepEqual([written.status, written.body.code], [403, 'CSRF_FAILED'])
      const read = await at.people.alice.get(
        '/events',
        { dont_block: true },
        { origin: 'https://evil.example' },
      )
      assert.equal(read.status, 200)
    })
  },
  {},
  product,
)

everyHost(
  'get-events',
  (at) => {
    checkPages(at, () => 'https://chat.example')

    it('ignores the Host of the request if the base URL is configured', async () => {
      const { origin } = at.host
      for (const headers of [{ origin }, { referer: `${origin}/` }]) {
        assert.equal((await poll(at, headers)).status, 403, JSON.stringify(headers))
      }
      const written = await at.nobody.send('POST', '/register', '', { cookie, origin })
      assert.equal(written.status, 403)
    })
  },
  {},
  { ...product, baseUrl: 'https://chat.example' },
)
