import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

interface WithPicture {
  readonly user_id?: number
  readonly sender_id?: number
  readonly avatar_url: string | null
  readonly avatar_url_medium?: string
}

const md5 = (email: string): string => createHash('md5').update(email).digest('hex')
const drawn = ({ id }: Client): string => `/user_avatars/default/${id}.png?version=1`

/** Every response and event with the picture of a user who sends a message in the meantime. */
async function everythingOf(viewer: Client, user: Client, at: HostCase, clientGravatar: boolean) {
  const options = { client_gravatar: clientGravatar }
  const feed = await viewer.listen({ ...options, event_types: ['message', 'realm_user'] })
  const id = await user.say(at.channels.general, 'pictures', 'hello')
  const [event] = await feed.drain()
  const registered = await viewer.post('/register', {
    ...options,
    fetch_event_types: ['realm_user'],
  })
  const users = registered.body.realm_users as WithPicture[]
  const list = await viewer.get('/users', { ...options, user_ids: [user.id] })
  const single = await viewer.get(`/messages/${id}`, options)
  const found = await viewer.get('/messages', {
    ...options,
    anchor: id,
    num_before: 0,
    num_after: 0,
  })
  return {
    text:
      [registered, list, single, found].map((answer) => answer.text).join('') +
      JSON.stringify(event),
    urls: [
      event?.['message'].avatar_url,
      users.find(({ user_id }) => user_id === user.id)?.avatar_url,
      list.body.members[0]!.avatar_url,
      (await viewer.get(`/users/${user.id}`, options)).body.user.avatar_url,
      found.body.messages[0]!.avatar_url,
    ] as (string | null)[],
  }
}

everyHost('get-users', (at) => {
  it('returns no hash of an email address in any payload, to any viewer', async () => {
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
    it('returns gravatars, if enabled, of users whose address all users can see', async () => {
      const { alice, bob, olga } = at.people

      const computed = await everythingOf(alice, bob, at, true)
      const sent = await everythingOf(alice, bob, at, false)
      const hidden = await everythingOf(olga, alice, at, true)

      assert.deepEqual(new Set(computed.urls), new Set([null]))
      const gravatar = `https://secure.gravatar.com/avatar/${md5(bob.email)}?d=identicon&version=1`
      assert.deepEqual(new Set(sent.urls), new Set([gravatar]))
      // Administrators can see the address, but the picture would be loaded from another host.
      assert.deepEqual(new Set(hidden.urls), new Set([drawn(alice)]))
      assert.ok(!hidden.text.includes(md5(alice.email)))
    })

    it('returns the generated picture once the address is hidden, and sends an event', async () => {
      const { bob, carol } = at.people
      const feed = await carol.listen({ event_types: ['realm_user'] })

      await bob.patch('/settings', { email_address_visibility: 4 })

      const persons = (await feed.drain()).flatMap(({ person }) => person as WithPicture)
      const { avatar_url, avatar_url_medium } =
        persons.find((person) => 'avatar_url' in person) ?? {}
      assert.equal(avatar_url, drawn(bob))
      assert.equal(avatar_url_medium, drawn(bob).replace('.png', '-medium.png'))
    })
  },
  { userSettings: { alice: { email_address_visibility: 3 } } },
  { gravatar: true },
)
