import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const add = (client: Client, stream_id: number) => client.post('/default_streams', { stream_id })
const remove = (client: Client, stream_id: number) =>
  client.delete('/default_streams', { stream_id })

everyHost('add-default-stream', (at) => {
  it('adds a channel once, and sends an event to all users except guests', async () => {
    const { adam, bob, gus } = at.people
    const { general, design } = at.channels
    const received = await hearing({ bob, gus }, async () => {
      assert.deepEqual((await add(adam, design)).body, bareSuccess)
      assert.deepEqual((await add(adam, design)).body, bareSuccess)
    })

    assert.deepEqual(withoutIds(received.bob), [
      { type: 'default_streams', default_streams: [general, design] },
    ])
    assert.deepEqual(received.gus, [])
  })

  it('refuses private, archived and unknown channels', async () => {
    const { adam } = at.people

    assertRefused(await add(adam, at.channels.secret), 'Private channels cannot be made default.')
    assertRefused(await add(adam, at.channels.attic), 'Invalid channel ID')
    assertRefused(await add(adam, at.unknownId), 'Invalid channel ID')
  })

  it('is restricted to administrators', async () => {
    for (const client of [at.people.mona, at.people.alice, at.people.gus, at.people.bot]) {
      assertRefused(await add(client, at.channels.empty), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    assert.equal((await add(at.people.olga, at.channels.empty)).status, 200)
  })
})

everyHost('remove-default-stream', (at) => {
  it('removes a channel once, and sends an event to all users except guests', async () => {
    const { adam, bob, gus } = at.people
    const received = await hearing({ bob, gus }, async () => {
      await remove(adam, at.channels.general)
      assert.deepEqual((await remove(adam, at.channels.general)).body, bareSuccess)
    })

    assert.deepEqual(withoutIds(received.bob), [{ type: 'default_streams', default_streams: [] }])
    assert.deepEqual(received.gus, [])
  })

  it('refuses unknown channels, and users who are not administrators', async () => {
    const { adam, mona } = at.people

    assertRefused(await remove(adam, at.unknownId), 'Invalid channel ID')
    assertRefused(
      await remove(mona, at.channels.general),
      'Must be an organization administrator',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    )
  })

  it('no longer subscribes new users to the channel', async () => {
    const { adam, alice, gus } = at.people
    await add(adam, at.channels.design)
    const other = await makeChannel(alice, 'no default')
    const received = await hearing({ alice, gus }, () => createUser(at, 'nora'))

    const nora = received.alice[0]?.['user_ids'][0] as number
    assert.deepEqual(withoutIds(received.alice), [
      {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: [at.channels.design],
        user_ids: [nora],
      },
    ])
    assert.deepEqual(received.gus, [])
    const subscribed = async (channelId: number) =>
      (await alice.get(`/users/${nora}/subscriptions/${channelId}`)).body.is_subscribed as boolean
    assert.equal(await subscribed(at.channels.design), true)
    assert.equal(await subscribed(at.channels.general), false)
    assert.equal(await subscribed(other), false)
  })
})

/** Creates a user who signs in through the application. */
async function createUser(
  at: Parameters<Parameters<typeof everyHost>[1]>[0],
  name: string,
): Promise<number> {
  const user = at.host.chat.as({
    externalId: `${name}-${at.subdomain}`,
    email: `${name}@${at.subdomain}.example`,
    fullName: `${name} New`,
    organization: at.subdomain,
  })
  return user.id()
}
