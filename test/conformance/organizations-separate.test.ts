import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]
const wrongPlace = [401, 'UNAUTHORIZED', 'Account is not associated with this subdomain']
const notLoggedIn = [
  401,
  'UNAUTHORIZED',
  'Not logged in: API authentication or user session required',
]

/** A user's client, with the address of another organization or of an unknown one. */
const at = (here: HostCase, subdomain: string, client: Client): Client =>
  here.host.client(subdomain, client.credentials, client.id, client.name)

everyHost('get-own-user', (here) => {
  it('accepts an API key only at the address of its organization', async () => {
    const { alice } = here.people
    const elsewhere = await here.host.organization()

    assert.deepEqual(
      refusal(await at(here, elsewhere.subdomain, alice).get('/users/me')),
      wrongPlace,
    )
    assert.deepEqual(refusal(await at(here, 'no-such', alice).get('/users/me')), wrongPlace)
    assert.equal((await alice.get('/users/me')).status, 200)
  })

  it('checks the API key before the address', async () => {
    const { alice } = here.people
    const wrongKey = here.host.client(
      'no-such',
      { email: alice.email, apiKey: 'z'.repeat(32) },
      0,
      'wrong',
    )
    const elsewhere = await here.host.organization()
    const { bob } = elsewhere.people
    await here.host.chat.organizations.deactivate(elsewhere.subdomain)

    assert.equal((await wrongKey.get('/users/me')).body.code, 'INVALID_API_KEY')
    for (const subdomain of [here.subdomain, 'no-such', elsewhere.subdomain]) {
      const answer = await at(here, subdomain, bob).get('/users/me')
      assert.equal(answer.body.code, 'REALM_DEACTIVATED', subdomain)
    }
    const dora = await at(here, 'no-such', here.people.dora).get('/users/me')
    assert.equal(dora.body.code, 'USER_DEACTIVATED')
  })

  it('requires credentials if the address names no organization', async () => {
    const unknown = here.host.client('no-such', undefined, 0, 'nobody')

    assert.deepEqual(refusal(await unknown.get('/users/me')), notLoggedIn)
    assert.deepEqual(
      refusal(await unknown.post('/fetch_api_key', { username: 'a@b.example', password: 'x' })),
      [404, 'NONEXISTENT_SUBDOMAIN', 'Invalid subdomain'],
    )
  })

  it('separates accounts that have the same email address', async () => {
    const email = 'same@everywhere.example'
    const password = 'correct horse battery'
    const elsewhere = await here.host.organization()
    const made = []
    for (const { people, nobody } of [here, elsewhere]) {
      const { body } = await people.olga.post('/users', { email, password, full_name: 'Same' })
      const key = await nobody.post('/fetch_api_key', { username: email, password })
      assert.equal(key.body.user_id, body.user_id)
      made.push(key.body)
    }
    const [first, second] = made as [(typeof made)[0], (typeof made)[0]]

    assert.notEqual(first.api_key, second.api_key)
    const crossed = here.host.client(here.subdomain, { email, apiKey: second.api_key }, 0, 'same')
    assert.deepEqual(refusal(await crossed.get('/users/me')), wrongPlace)
    const own = here.host.client(here.subdomain, { email, apiKey: first.api_key }, 0, 'same')
    assert.equal((await own.get('/users/me')).body.user_id, first.user_id)
  })

  it("does not give access to another organization's event queue", async () => {
    const elsewhere = await here.host.organization()
    const feed = await elsewhere.people.alice.listen()
    const params = { queue_id: feed.queueId, last_event_id: -1 }

    const answer = await here.people.alice.get('/events', params)
    const unknown = await here.people.alice.get('/events', { ...params, queue_id: 'no-such' })

    assert.equal(answer.body.code, 'BAD_EVENT_QUEUE_ID')
    assert.equal(answer.text.replaceAll(feed.queueId, 'no-such'), unknown.text)
  })

  it('sends no events of another organization', async () => {
    const elsewhere = await here.host.organization()
    const feed = await here.people.alice.listen()

    await elsewhere.people.adam.patch(`/users/${elsewhere.people.bob.id}`, { full_name: 'Robert' })
    await elsewhere.people.alice.say(elsewhere.channels.general, 'elsewhere', 'hello')

    assert.deepEqual(await feed.drain(), [])
  })
})

everyHost(
  'get-server-settings',
  (here) => {
    it('calls resolveOrganization with the request, which may return undefined', async () => {
      const ask = async (header: string) =>
        (await here.nobody.get('/server_settings', {}, { 'x-tenant': header })).body.realm_name

      assert.equal(await ask(here.subdomain), 'Test')
      assert.equal(await ask('none'), undefined)
      assert.equal(await ask('no-such'), undefined)
    })
  },
  {},
  {
    resolveOrganization: async (request) => {
      const tenant = String(request.headers['x-tenant'] ?? 'none')
      return tenant === 'none' ? null : tenant
    },
  },
)

everyHost(
  'get-server-settings',
  (here) => {
    it('returns the only organization until there are two', async () => {
      const anywhere = here.host.client('anything', undefined, 0, 'nobody')
      const alone = await anywhere.get('/server_settings')
      const { alice } = here.people
      const me = await at(here, 'anything', alice).get('/users/me')

      await here.host.organization()
      const among = await anywhere.get('/server_settings')

      assert.equal(alone.body.realm_name, 'Test')
      assert.equal(me.status, 200)
      assert.equal(among.body.realm_name, undefined)
    })
  },
  {},
  { resolveOrganization: undefined } as never,
)
