import assert from 'node:assert/strict'
import { request, type IncomingHttpHeaders } from 'node:http'
import { it } from 'node:test'
import { gunzipSync } from 'node:zlib'

import { everyHost, type HostCase } from '../support/host.js'

interface SentAnswer {
  readonly headers: IncomingHttpHeaders
  /** As it was sent. */
  readonly body: Buffer
}

/** Sends a request of its own, because other clients of tests read text. */
function post(at: HostCase, path: string, acceptEncoding?: string): Promise<SentAnswer> {
  const { alice } = at.people
  const { origin, subdomain } = alice.endpoint
  const headers = {
    'x-organization': subdomain,
    ...alice.authorization(),
    ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/api/v1${path}`, { method: 'POST', headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject)
      response.once('end', () => {
        resolve({ headers: response.headers, body: Buffer.concat(parts) })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Without what differs between two registrations. */
function stateIn(body: Buffer): unknown {
  const { queue_id, server_timestamp, ...state } = JSON.parse(body.toString()) as Record<
    string,
    unknown
  >
  assert.equal(typeof queue_id, 'string')
  assert.equal(typeof server_timestamp, 'number')
  return state
}

everyHost('register-queue', (at) => {
  it('is compressed for clients that accept gzip', async () => {
    const plain = await post(at, '/register')
    assert.equal(plain.headers['content-encoding'], undefined)

    for (const accepted of ['gzip', 'br, gzip;q=0.5', '*', 'deflate, *;q=0.1', 'X-GZIP']) {
      const compressed = await post(at, '/register', accepted)

      assert.equal(compressed.headers['content-encoding'], 'gzip', accepted)
      assert.equal(Number(compressed.headers['content-length']), compressed.body.length)
      assert.ok(compressed.body.length < plain.body.length / 3)
      assert.deepEqual(stateIn(gunzipSync(compressed.body)), stateIn(plain.body))
    }
  })

  it('is complete if it is so long that it is sent in parts', async () => {
    const { alice } = at.people
    const to = [at.channels.general]
    const draft = { type: 'stream', to, topic: 'long', content: 'é👩 long'.repeat(1000) }
    const drafts = Array.from({ length: 60 }, (_, number) => ({ ...draft, timestamp: number + 1 }))
    assert.equal((await alice.post('/drafts', { drafts })).status, 200)

    const plain = await post(at, '/register')
    const compressed = await post(at, '/register', 'gzip')

    assert.ok(plain.body.length > 600_000, `${plain.body.length} bytes`)
    assert.equal(Number(plain.headers['content-length']), plain.body.length)
    const state = stateIn(plain.body) as {
      readonly drafts: readonly { readonly content: string }[]
    }
    assert.equal(state.drafts.filter(({ content }) => content === draft.content).length, 60)
    assert.equal(compressed.headers['content-encoding'], 'gzip')
    assert.ok(compressed.body.length < plain.body.length / 3)
    assert.deepEqual(stateIn(gunzipSync(compressed.body)), state)
  })

  it('is sent as it is to other clients, and tells caches that it depends on the header', async () => {
    for (const accepted of [undefined, 'identity', 'br', 'gzip;q=0', '*, gzip;q=0', 'gzip;q=2']) {
      const { headers, body } = await post(at, '/register', accepted)

      assert.equal(headers['content-encoding'], undefined, accepted)
      assert.match(headers['vary'] ?? '', /\bAccept-Encoding\b/)
      assert.equal(typeof stateIn(body), 'object')
    }
  })

  it('is not compressed if it is short', async () => {
    const { headers, body } = await post(at, '/register?fetch_event_types=["message"]', 'gzip')

    assert.equal(headers['content-encoding'], undefined)
    assert.ok(body.length < 16_384)
  })

  it('is not compressed if it fails, and neither are other operations', async () => {
    const failed = await post(at, '/register?narrow=wrong', 'gzip')
    assert.equal(JSON.parse(failed.body.toString()).code, 'BAD_REQUEST')
    assert.equal(failed.headers['content-encoding'], undefined)

    const { alice } = at.people
    const users = await alice.get('/users', {}, { 'accept-encoding': 'gzip' })
    assert.equal(users.status, 200)
    assert.equal(users.headers['content-encoding'], undefined)
  })
})
