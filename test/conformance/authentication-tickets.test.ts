import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'

import { WebSocket } from 'ws'

import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { upgradeStatus } from '../support/socket-client.js'
import { within } from '../support/waiting.js'

/** Opens a WebSocket. @returns the status of the answer. */
const open = (at: HostCase, query: string): Promise<number> =>
  upgradeStatus(at.nobody.endpoint, `?${query}`)

everyHost('create-socket-ticket', (at) => {
  it('opens one WebSocket, once', async () => {
    const { alice } = at.people

    const { body } = await alice.post('/events/ticket')
    const first = await open(at, `ticket=${body.ticket}`)
    const second = await open(at, `ticket=${body.ticket}`)

    assert.deepEqual(Object.keys(body).sort(), ['expires_in_seconds', 'msg', 'result', 'ticket'])
    assert.equal(body.expires_in_seconds, 30)
    assert.equal(first, 101)
    assert.equal(second, 401)
  })

  it('expires', async () => {
    const { body } = await at.people.alice.post('/events/ticket')

    at.clock.advance(31)

    assert.equal(await open(at, `ticket=${body.ticket}`), 401)
  })

  it('is no credential for anything else', async () => {
    const { body } = await at.people.alice.post('/events/ticket')

    assert.equal((await at.nobody.get('/users/me', { ticket: body.ticket })).status, 401)
    assert.equal(await open(at, 'ticket=guess'), 401)
    assert.equal(await open(at, ''), 401)
  })

  it('is good in its own organization only', async () => {
    const elsewhere = await at.host.organization()
    const { body } = await elsewhere.people.alice.post('/events/ticket')

    assert.equal(await open(at, `ticket=${body.ticket}`), 401)
  })

  it('needs credentials', async () => {
    assert.equal((await at.nobody.post('/events/ticket')).status, 401)
  })
})

everyHost('deactivate-user', (at) => {
  /** Opens a WebSocket with a person's API key. */
  async function connect(client: Client): Promise<WebSocket> {
    const socket = new WebSocket(`${at.host.origin.replace('http', 'ws')}/api/v1/events`, {
      headers: { 'x-organization': at.subdomain, ...client.authorization() },
    })
    await within('a WebSocket to open', once(socket, 'open'))
    return socket
  }

  it("ends the account's WebSockets, and no others", async () => {
    const { adam, alice, bob } = at.people
    const [ofAlice, ofBob] = [await connect(alice), await connect(bob)]

    const closed = once(ofAlice, 'close')
    await adam.delete(`/users/${alice.id}`)

    assert.equal((await within('the end of the WebSocket', closed))[0], 4003)
    assert.equal(ofBob.readyState, WebSocket.OPEN)
    ofBob.terminate()
  })

  it('ends all WebSockets of an organization with it, after the news', async () => {
    const socket = await connect(at.people.carol)
    const frames: string[] = []
    const news = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        frames.push(data.toString('utf8'))
        if (frames.some((frame) => frame.includes('"op":"deactivated"'))) resolve()
      })
    })
    const closed = once(socket, 'close')

    await at.host.chat.organizations.deactivate(at.subdomain)
    await within('the news', news, { instead: () => frames })
    at.clock.advance(1)

    assert.equal((await within('the end of the WebSocket', closed))[0], 4003)
  })
})
