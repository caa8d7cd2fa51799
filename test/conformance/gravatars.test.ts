import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

interface Seen {
  readonly user_id?: number
  readonly sender_id?: number
  readonly avatar_url: string | null
  readonly avatar_url_medium?: string
}

const md5 = (email: string): string => createHash('md5').update(email).digest('hex')
const drawn = ({ id }: Client): string => `/user_avatars/default/${id}.png?version=1`

/** Every answer and event that shows a picture of a user who writes a message meanwhile. */
async function everythingOf(viewer: Client, user: Client, at: HostCase, clientGravatar: boolean) {
  const look = { client_gravatar: clientGravatar }
  const heard = await viewer.listen({ ...look, event_types: ['message', 'realm_user'] })
  const id = await user.say(at.channels.general, 'pictures', 'hello')
  const [event] = await heard.drain()
  const registered = await viewer.post('/register', { ...look, fetch_event_types: ['realm_user'] })
  const users = registered.body.realm_users as Seen[]
  const list = await viewer.get('/users', { ...look, user_ids: [user.id] })
  const single = await viewer.get(`/messages/${id}`, look)
  const found = await viewer.get('/messages', { ...look, anchor: id, num_before: 0, num_after: 0 })
  return {
    text:
      [registered, list, single, found].map((answer) => answer.text).join('') +
      JSON.stringify(event),
    urls: [
      event?.['message'].avatar_url,
      users.find(({ user_id }) => user_id === user.id)?.avatar_url,
      list.body.members[0].avatar_url,
      (await viewer.get(`/users/${user.id}`, look)).body.user.avatar_url,
      found.body.messages[0].avatar_url,
    ] as (string | null)[],
  }
}

everyHost('get-users', (at) => {
  it('has no hash of an address in any payload, whoever looks', async () => {
    const { alice, bob, olga } = at.people
    for (const clientGravatar of [true, false]) {
      const { text, urls } = await everythingOf(olga, bob, at, clientGravatar)

      assert.deepEqual(new Set(urls), new Set([drawn(bob)]))
      for (const { email } of [alice, bob, olga]) assert.ok(!text.includes(md5(email)))
      assert.ok(!text.includes('gravatar.com'))
    }
  })
})

everyHost(
  'get-users',
  (at) => {
    it('shows gravatars, where the server has them, of those whose address everyone may see', async () => {
      const { alice, bob, olga } = at.people

      const computed = await everythingOf(alice, bob, at, true)
      const sent = await everythingOf(alice, bob, at, false)
      const hidden = await everythingOf(olga, alice, at, true)

      assert.deepEqual(new Set(computed.urls), new Set([null]))
      const gravatar = `https://secure.gravatar.com/avatar/${md5(bob.email)}?d=identicon&version=1`
      assert.deepEqual(new Set(sent.urls), new Set([gravatar]))
      // Administrators may see the address, but the picture is loaded from elsewhere.
      assert.deepEqual(new Set(hidden.urls), new Set([drawn(alice)]))
      assert.ok(!hidden.text.includes(md5(alice.email)))
    })

    it('shows another picture once the address is hidden, and tells so', async () => {
      const { bob, carol } = at.people
      const heard = await carol.listen({ event_types: ['realm_user'] })

      await bob.patch('/settings', { email_address_visibility: 4 })

      const told = (await heard.drain()).flatMap(({ person }) => person as Seen)
      const { avatar_url, avatar_url_medium } = told.find((person) => 'avatar_url' in person) ?? {}
      assert.equal(avatar_url, drawn(bob))
      assert.equal(avatar_url_medium, drawn(bob).replace('.png', '-medium.png'))
    })
  },
  { userSettings: { alice: { email_address_visibility: 3 } } },
  { gravatar: true },
)
