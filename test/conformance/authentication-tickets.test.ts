import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'

import { WebSocket } from 'ws'

import { encode, type Client } from '../support/client.js'
import { everyHost, type HostCase, type HostOptions } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'
import { upgradeStatus } from '../support/socket-client.js'
import { within } from '../support/waiting.js'

/** Opens a WebSocket. @returns the status of the answer. */
const open = (at: HostCase, query: string): Promise<number> =>
  upgradeStatus(at.nobody.endpoint, `?${query}`)

everyHost('create-socket-ticket', (at) => {
  it('opens a WebSocket, only once', async () => {
    const { alice } = at.people

    const { body } = await alice.post('/events/ticket')
    const first = await open(at, `ticket=${body.ticket}`)
    const second = await open(at, `ticket=${body.ticket}`)

    assert.deepEqual(Object.keys(body).sort(), ['expires_in_seconds', 'msg', 'result', 'ticket'])
    assert.equal(body.expires_in_seconds, 30)
    assert.equal(first, 101)
    assert.equal(second, 401)
  })

  it('expires after 30 seconds', async () => {
    const { body } = await at.people.alice.post('/events/ticket')

    at.clock.advance(31)

    assert.equal(await open(at, `ticket=${body.ticket}`), 401)
  })

  it('authenticates no other request, even one with an Upgrade header', async () => {
    const { alice } = at.people
    const { body } = await alice.post('/events/ticket')
    const { ticket } = body
    const upgrade = { upgrade: 'websocket' }
    const message = encode({ type: 'direct', to: [alice.id], content: 'by ticket' })

    const answers = [
      await at.nobody.get('/users/me', { ticket }),
      await at.nobody.get('/users/me', { ticket }, upgrade),
      await at.nobody.get('/events', { ticket, dont_block: true }, upgrade),
      await at.nobody.send('POST', `/messages?ticket=${ticket}`, message, upgrade),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 401],
    )
    assert.equal(await open(at, `ticket=${ticket}`), 101)
    assert.equal(await open(at, 'ticket=guess'), 401)
    assert.equal(await open(at, ''), 401)
  })

  it('opens only the queue that it was issued for', async () => {
    const { alice } = at.people
    const [own, other] = [await alice.listen(), await alice.listen()]
    const ticketFor = async (params: object): Promise<string> =>
      (await alice.post('/events/ticket', { ...params })).body.ticket
    const queue = { queue_id: own.queueId }
    const queryOf = (id: string) => `queue_id=${encodeURIComponent(id)}&last_event_id=-1`

    assert.equal(await open(at, `ticket=${await ticketFor(queue)}&${queryOf(own.queueId)}`), 101)
    for (const [params, query] of [
      [queue, queryOf(other.queueId)],
      [queue, ''],
      [queue, `${queryOf(own.queueId)}&${queryOf(other.queueId)}`],
      [{}, queryOf(own.queueId)],
    ] as const) {
      const ticket = await ticketFor(params)
      assert.equal(await open(at, `ticket=${ticket}&${query}`), 401)
      assert.equal(await open(at, `ticket=${ticket}&${queryOf(own.queueId)}`), 401)
    }
    const long = await alice.post('/events/ticket', { queue_id: 'x'.repeat(81) })
    assert.equal(long.status, 400)
  })

  it('is issued for none of the queues that are gone, and of other users', async () => {
    const { alice, bob } = at.people
    const gone = await alice.listen()
    await alice.delete('/events', { queue_id: gone.queueId })

    for (const queue_id of [gone.queueId, (await bob.listen()).queueId]) {
      const { status, body } = await alice.post('/events/ticket', { queue_id })
      assert.equal(status, 400)
      assert.equal(body.code, 'BAD_EVENT_QUEUE_ID')
      assert.equal(body.queue_id, queue_id)
    }
  })

  it('becomes invalid when the API key is regenerated', async () => {
    const { carol } = at.people
    const { body } = await carol.post('/events/ticket')

    await carol.post('/users/me/api_key/regenerate')

    assert.equal(await open(at, `ticket=${body.ticket}`), 401)
  })

  it('becomes invalid when the account is deactivated', async () => {
    const { bob, adam } = at.people
    const { body } = await bob.post('/events/ticket')

    await adam.delete(`/users/${bob.id}`)

    assert.equal(await open(at, `ticket=${body.ticket}`), 401)
    await reactivate(at, adam, bob)
  })

  it('is invalid in another organization', async () => {
    const elsewhere = await at.host.organization()
    const { body } = await elsewhere.people.alice.post('/events/ticket')

    assert.equal(await open(at, `ticket=${body.ticket}`), 401)
  })

  it('returns 401 without credentials', async () => {
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

  it("closes the account's WebSockets, and no others", async () => {
    const { adam, alice, bob } = at.people
    const [ofAlice, ofBob] = [await connect(alice), await connect(bob)]

    const closed = once(ofAlice, 'close')
    await adam.delete(`/users/${alice.id}`)

    assert.equal((await within('the end of the WebSocket', closed))[0], 4003)
    assert.equal(ofBob.readyState, WebSocket.OPEN)
    ofBob.terminate()
  })

  it('closes all WebSockets of a deactivated organization after sending the event', async () => {
    const socket = await connect(at.people.carol)
    const frames: string[] = []
    const announced = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        frames.push(data.toString('utf8'))
        if (frames.some((frame) => frame.includes('"op":"deactivated"'))) resolve()
      })
    })
    const closed = once(socket, 'close')

    await at.host.chat.organizations.deactivate(at.subdomain)
    await within('the event of the deactivation', announced, { instead: () => frames })
    at.clock.advance(1)

    assert.equal((await within('the end of the WebSocket', closed))[0], 4003)
  })
})

const joe = { externalId: 'joe', email: 'joe@app.example', fullName: 'Joe' }
const cookie = { cookie: 'session=joe' }

/** A product whose `identify` can be delayed, and that can end the session in the meantime. */
class SlowProduct {
  hasSession = true
  held: { readonly asked: () => void; readonly released: Promise<void> } | undefined

  readonly options: HostOptions = {
    identify: async ({ headers }, { isRepeated }) => {
      if (headers.cookie !== cookie.cookie) return null
      if (isRepeated) return this.hasSession ? joe : null
      this.held?.asked()
      await this.held?.released
      return joe
    },
  }

  /** Delays the next answers. @returns when one is requested, and a function that releases them. */
  hold(): { readonly asked: Promise<void>; readonly release: () => void } {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const asked = new Promise<void>((resolve) => {
      this.held = { asked: resolve, released }
    })
    return { asked, release }
  }
}

const slow = new SlowProduct()

everyHost(
  'create-socket-ticket',
  (at) => {
    const fromOwnPage = () => ({ ...cookie, origin: at.host.origin })

    it('returns 401 if the session ends during the request', async () => {
      assert.equal((await at.nobody.send('POST', '/events/ticket', '', fromOwnPage())).status, 200)

      slow.hasSession = false
      const { status, body } = await at.nobody.send('POST', '/events/ticket', '', fromOwnPage())
      slow.hasSession = true

      assert.deepEqual([status, body.ticket], [401, undefined])
    })

    it('opens no WebSocket if the session ends during the handshake', async () => {
      const { asked, release } = slow.hold()
      const answer = upgradeStatus(at.nobody.endpoint, '', fromOwnPage())
      await within('the call of identify', asked)

      await at.host.chat.users.endSessions('joe', { organization: at.subdomain })
      release()

      assert.equal(await answer, 401)
      slow.held = undefined
      assert.equal(await upgradeStatus(at.nobody.endpoint, '', fromOwnPage()), 101)
    })
  },
  {},
  slow.options,
)
