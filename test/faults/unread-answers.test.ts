import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { until } from '../support/waiting.js'

everyHost('answers that are not read', (at) => {
  it('end after half a minute', async () => {
    const { alice, bob } = at.people
    // More than the buffers of two sockets on one machine hold.
    for (let index = 0; index < 18; index += 1) {
      await alice.say(at.channels.design, 'emoji', '👍'.repeat(10_000))
    }
    const range = { anchor: 'newest', num_before: 18, num_after: 0 }
    const [response] = (await once(bob.open('/messages', range), 'response')) as [IncomingMessage]
    const length = Number(response.headers['content-length'])
    assert.ok(length > 12_000_000, `${length} bytes`)

    await until('the end of the wait for the client', () => at.clock.fire(30) > 0)
    let received = 0
    const failure = await (async () => {
      for await (const part of response) received += (part as Buffer).length
    })().catch((error: unknown) => error)

    assert.equal((failure as { code?: string }).code, 'ECONNRESET')
    assert.ok(received < length, `${received} of ${length} bytes`)
    assert.equal((await bob.get('/users/me')).status, 200)
  })
})
