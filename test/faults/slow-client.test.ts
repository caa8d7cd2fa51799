import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Cast } from '../support/cast.js'
import { databaseColumns, type DatabaseColumn } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { SocketClient } from '../support/socket-client.js'

/** More than the kernel buffers for a connection whose client does not read. */
const total = 800
const content = '€'.repeat(9990)

describe('a WebSocket client that stops reading', () => {
  const host = new TestHost('express', databaseColumns()[0] as DatabaseColumn)
  let cast: Cast
  let place: { queue_id: string; last_event_id: number }

  before(async () => {
    await host.start()
    cast = await host.organization()
    const { alice, bob } = cast.people
    const { body } = await bob.post('/register', {
      event_types: ['message'],
      fetch_event_types: [],
    })
    place = { queue_id: body.queue_id, last_event_id: body.last_event_id }
    const { api } = host.chat.as({ userId: alice.id, organization: cast.subdomain })
    for (let start = 0; start < total; start += 100) {
      const batch = Array.from({ length: 100 }, async () =>
        api.sendMessage({ type: 'direct', to: [bob.id], content }),
      )
      await Promise.all(batch)
    }
  })
  after(() => host.stop())

  /** Opens a connection that reads nothing, and resolves when the server has stopped writing. */
  const openAndStall = async (lastEventId: number): Promise<SocketClient> => {
    const hasPaused = host.clock.next('set', 0.25)
    const client = await SocketClient.open(cast.people.bob, {
      ...place,
      last_event_id: lastEventId,
    })
    client.socket.pause()
    await hasPaused
    return client
  }

  it('receives all events once it reads again, each event once and in order', async () => {
    const client = await openAndStall(place.last_event_id)
    client.socket.resume()
    const receiving = client.events(total)

    // The server checks several times per second whether the client has caught up.
    while ((await Promise.race([receiving, sleep(5)])) === undefined) host.clock.advance(0.25)
    const ids = (await receiving).map(({ id }) => id)

    assert.equal(ids.length, total)
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
    await client.close()
  })

  it('is disconnected after 30 seconds, and continues later from its last event', async () => {
    const client = await openAndStall(place.last_event_id)
    for (let second = 0; second < 35; second += 1) {
      host.clock.advance(1)
      await sleep(1)
    }

    client.socket.resume()
    const { code } = await client.closing
    const got = client.received()
    const last = got.at(-1)?.id ?? place.last_event_id
    const rest = await cast.people.bob.get('/events', { ...place, last_event_id: last })

    assert.equal(code, 1006, 'not a regular close, which would have to wait for the buffered data')
    assert.ok(got.length < total)
    assert.equal(rest.body.events[0].id, last + 1024)
  })
})
