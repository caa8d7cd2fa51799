import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const path = (id: number) => `/users/me/muted_users/${id}`
const types = { event_types: ['muted_users', 'update_message_flags'] }

everyHost('mute-user', (at) => {
  it("marks messages of the muted user as read, and then sends an event to the user's own clients", async () => {
    const { alice, bob, carol } = at.people
    const channelMessage = await bob.say(at.channels.general, 'muting', 'in a channel')
    const directMessage = await bob.whisper([alice], 'to you')
    const others = await carol.say(at.channels.general, 'muting', 'by somebody else')
    const [feed, carolFeed] = [await alice.listen(types), await carol.listen(types)]

    const answer = await alice.post(path(bob.id))

    assert.deepEqual(answer.body, bareSuccess)
    const muted_users = [{ id: bob.id, timestamp: at.clock.seconds }]
    const flags = {
      type: 'update_message_flags',
      op: 'add',
      operation: 'add',
      flag: 'read',
      messages: [channelMessage, directMessage],
      all: false,
    }
    assert.deepEqual(withoutIds(await feed.drain()), [flags, { type: 'muted_users', muted_users }])
    assert.deepEqual(await carolFeed.drain(), [])
    const flagsOf = async (user: typeof alice, id: number) =>
      (await user.get(`/messages/${id}`)).body.message.flags
    assert.deepEqual(await flagsOf(alice, channelMessage), ['read'])
    assert.deepEqual(await flagsOf(alice, others), [])
    assert.deepEqual(await flagsOf(carol, channelMessage), [])
    const { body } = await alice.post('/register', { fetch_event_types: ['muted_users'] })
    assert.deepEqual(body.muted_users, muted_users)
  })

  it('sends new messages of the muted user as read', async () => {
    const { mona, adam, olga } = at.people
    await mona.post(path(adam.id))
    const [monaFeed, olgaFeed] = [
      await mona.listen({ event_types: ['message'] }),
      await olga.listen({ event_types: ['message'] }),
    ]

    await adam.say(at.channels.general, 'muted', 'hello')
    await adam.whisper([mona, olga], 'hello')

    const flags = (events: readonly Record<string, unknown>[]) => events.map((event) => event.flags)
    assert.deepEqual(flags(await monaFeed.drain()), [['read'], ['read']])
    assert.deepEqual(flags(await olgaFeed.drain()), [[], []])
  })

  it('lists muted users in the order of muting, including bots and deactivated users', async () => {
    const { carol, bot, dora, alice } = at.people
    await carol.post(path(dora.id))
    at.clock.advance(5)
    await carol.post(path(alice.id))
    at.clock.advance(5)
    const feed = await carol.listen({ event_types: ['muted_users'] })

    await carol.post(path(bot.id))

    const now = at.clock.seconds
    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'muted_users',
        muted_users: [
          { id: dora.id, timestamp: now - 10 },
          { id: alice.id, timestamp: now - 5 },
          { id: bot.id, timestamp: now },
        ],
      },
    ])
  })

  it('sends the complete list with each event if several users are muted at the same time', async () => {
    const { bob, alice, carol, adam, mona } = at.people
    const feed = await bob.listen({ event_types: ['muted_users'] })
    const others = [alice, carol, adam, mona]

    await Promise.all(others.map(({ id }) => bob.post(path(id))))

    const lengths = (await feed.drain()).map((event) => event['muted_users'].length as number)
    assert.deepEqual(lengths, [1, 2, 3, 4])
  })

  it("refuses the user's own id, unknown users, and a user who is already muted", async () => {
    const { gus, olga } = at.people
    await gus.post(path(olga.id))
    const feed = await gus.listen(types)

    assertRefused(await gus.post(path(gus.id)), 'Cannot mute self')
    assertRefused(await gus.post(path(at.unknownId)), 'No such user')
    assertRefused(await gus.post(path(olga.id)), 'User already muted')
    assert.deepEqual(await feed.drain(), [])
    assert.equal((await at.nobody.post(path(olga.id))).status, 401)
  })
})

everyHost(
  'mute-user',
  (at) => {
    it('refuses users whom a guest has no access to', async () => {
      const { alice, gus } = at.people
      await alice.delete('/users/me/subscriptions', { subscriptions: ['general'] })

      assertRefused(await gus.post(path(alice.id)), 'Insufficient permission')
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)

everyHost('unmute-user', (at) => {
  it("sends an event to the user's own clients, and new messages as unread again", async () => {
    const { alice, bob, carol } = at.people
    await alice.post(path(bob.id))
    const [feed, carolFeed] = [
      await alice.listen({ event_types: ['muted_users', 'message'] }),
      await carol.listen(types),
    ]

    const answer = await alice.delete(path(bob.id))
    await bob.say(at.channels.general, 'unmuted', 'hello')

    assert.deepEqual(answer.body, bareSuccess)
    const [first, second] = await feed.drain()
    assert.deepEqual(first?.['muted_users'], [])
    assert.deepEqual(second?.['flags'], [])
    assert.deepEqual(await carolFeed.drain(), [])
  })

  it('refuses unknown users, and users who are not muted', async () => {
    const { alice, bob } = at.people

    assertRefused(await alice.delete(path(bob.id)), 'User is not muted')
    assertRefused(await alice.delete(path(alice.id)), 'User is not muted')
    assertRefused(await alice.delete(path(at.unknownId)), 'No such user')
    assert.equal((await at.nobody.delete(path(bob.id))).status, 401)
  })
})
