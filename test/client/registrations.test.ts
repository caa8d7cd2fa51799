import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'

import { ChatClient } from '@parley/client'

import { Connection } from '../../packages/client/src/connection.js'
import { until } from '../support/waiting.js'
import { Page } from './page.js'
import { Told } from './told.js'

describe('a registration that a server does not accept', () => {
  let status = 0
  let body: object = {}
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    requests += 1
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ result: 'error', msg: 'No', ...body }))
  })
  let page: Page
  let told: Told
  let connection: Connection

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    // A server that listens on a port has an address of this kind.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { api } = new ChatClient({ url })
    page = new Page()
    told = new Told()
    requests = 0
    connection = new Connection(api, page.environment, { url, registration: {} }, told)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('is over a limit: the client waits as long as the server says', async () => {
    status = 429
    body = { code: 'RATE_LIMIT_HIT', 'retry-after': 100 }
    connection.open()
    // The watch on the clock, and the delay.
    await until('the delay', () => requests === 1 && page.timers === 2)
    page.passSlowly(99_000)
    assert.equal(page.timers, 2)
    page.passSlowly(2000)
    await until('another attempt', () => requests === 2 && page.timers === 2)
    await connection.close()
    assert.equal(page.timers, 0)
    assert.equal(requests, 2)
  })

  it('fails: the client waits longer each time, at most half a minute', async () => {
    status = 500
    body = { code: 'INTERNAL_SERVER_ERROR' }
    connection.open()
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await until('the delay', () => requests === attempt && page.timers === 2)
      // Delays are random, from half of it to all of it.
      const most = Math.min(30_000, 500 * 2 ** (attempt - 1))
      page.passSlowly(most / 2 - 1)
      assert.equal(page.timers, 2, `attempt ${attempt} is too early`)
      page.passSlowly(most / 2 + 1)
    }
    await connection.close()
    assert.equal(page.timers, 0)
  })

  for (const [what, kind, code] of [
    [400, 'refused', 'BAD_REQUEST'],
    [401, 'signedOut', 'INVALID_API_KEY'],
  ] as const) {
    it(`has the status ${what}: the client does not try again`, async () => {
      status = what
      body = { code }
      connection.open()
      await until('the end', () => connection.state.kind === kind)
      assert.equal(page.timers, 0)
      connection.retryNow()
      assert.equal(requests, 1)
      await connection.close()
      assert.equal(requests, 1)
    })
  }
})
