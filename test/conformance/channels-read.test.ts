import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { makeGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

everyHost('get-streams', (at) => {
  const list = async (client: Client, params: Record<string, unknown> = {}): Promise<string[]> =>
    (await client.get('/streams', params)).body.streams.map(({ name }) => name)

  it('lists public and subscribed channels by name', async () => {
    const { bob, alice } = at.people

    assert.deepEqual(await list(bob), ['design', 'empty', 'general', 'vault', 'window'])
    assert.deepEqual(await list(alice, { exclude_archived: false, include_public: false }), [
      'attic',
      'design',
      'general',
      'secret',
      'vault',
      'window',
    ])
  })

  it("lists a guest's subscribed channels, and web-public ones on request", async () => {
    const { gus } = at.people

    assert.deepEqual(await list(gus), ['general'])
    assert.deepEqual(await list(gus, { include_web_public: true }), ['general', 'window'])
  })

  it('lists the channels that each flag selects', async () => {
    const { bob, adam, alice, carol } = at.people
    const none = { include_public: false, include_subscribed: false }
    const group = await makeGroup(alice, 'readers', { members: [carol.id] })
    await makeChannel(alice, 'readable', { invite_only: true, can_subscribe_group: group })
    await makeChannel(alice, 'run', {
      invite_only: true,
      can_administer_channel_group: { direct_members: [carol.id], direct_subgroups: [] },
    })

    assert.deepEqual(await list(bob, none), [])
    assert.deepEqual(await list(bob, { ...none, include_default: true }), ['general'])
    assert.deepEqual(await list(carol, { ...none, include_can_access_content: true }), [
      'design',
      'empty',
      'general',
      'readable',
      'window',
    ])
    assert.deepEqual(await list(carol, { ...none, include_all: true }), [
      'design',
      'empty',
      'general',
      'readable',
      'run',
      'window',
    ])
    assert.equal((await list(adam, { ...none, include_all: true })).includes('secret'), true)
    assert.equal((await list(adam, { ...none, include_all_active: true })).includes('vault'), true)
    assert.equal((await list(adam)).includes('secret'), false)
  })

  it('returns is_default if default channels are requested', async () => {
    const { bob } = at.people

    const answer = await bob.get('/streams', { include_default: true, include_public: false })

    const flags = answer.body.streams.map((channel) => [channel.name, channel.is_default])
    assert.deepEqual(flags.slice(0, 2), [
      ['design', false],
      ['general', true],
    ])
    assert.equal('is_default' in (await bob.get('/streams')).body.streams[0]!, false)
  })

  it("lists the channels of a bot's owner that the bot can see", async () => {
    const { bot } = at.people

    const names = await list(bot, {
      include_public: false,
      include_subscribed: false,
      include_owner_subscribed: true,
    })

    assert.deepEqual(names, ['design', 'general', 'window'])
  })

  it('refuses the deprecated flag to users who are not administrators', async () => {
    const { mona } = at.people

    assertRefused(
      await mona.get('/streams', { include_all_active: true }),
      'User not authorized for this query',
    )
    assertRefused(await mona.get('/streams', { include_all: 1 }), 'include_all is not a boolean')
  })

  it('counts messages per week once a channel is a week old', async () => {
    const { alice } = at.people
    const id = await makeChannel(alice, 'busy', { subscribers: [alice.id] })
    const traffic = async () =>
      (await alice.get(`/streams/${id}`)).body.stream.stream_weekly_traffic as number | null

    const young = await traffic()
    at.clock.advance(7 * 86_400)
    const quiet = await traffic()
    const first = await alice.say(id, 'topic', 'one')
    await alice.say(id, 'topic', 'two')
    at.clock.advance(3600)
    const busy = await traffic()

    assert.equal(young, null)
    // The notification message about the new channel counts, too.
    assert.equal(quiet, 1)
    assert.equal(busy, 3)
    // The notification message about the new channel comes first.
    assert.ok((await alice.get(`/streams/${id}`)).body.stream.first_message_id < first)
  })
})

everyHost('get-stream-by-id', (at) => {
  it('returns a channel to users who can see it', async () => {
    const { adam, bob, gus } = at.people

    const [byAdministrator, byMember, byGuest] = [
      await adam.get(`/streams/${at.channels.secret}`),
      await bob.get(`/streams/${at.channels.attic}`),
      await gus.get(`/streams/${at.channels.window}`),
    ]

    assert.equal(byAdministrator.body.stream.name, 'secret')
    assert.equal(byAdministrator.body.stream.history_public_to_subscribers, true)
    assert.equal(byMember.body.stream.is_archived, true)
    assert.equal(byGuest.body.stream.is_web_public, true)
  })

  it('returns the same error for unknown and inaccessible channels, and those of other organizations', async () => {
    const { bob, gus } = at.people
    const other = await at.host.organization()

    for (const [client, id] of [
      [bob, at.unknownId],
      [bob, other.channels.general],
      [bob, at.channels.secret],
      [gus, at.channels.design],
    ] as const) {
      assertRefused(await client.get(`/streams/${id}`), 'Invalid channel ID')
    }
  })
})

everyHost('get-stream-id', (at) => {
  it('finds a channel by name, ignoring case', async () => {
    const answer = await at.people.bob.get('/get_stream_id', { stream: 'DESIGN' })

    assert.deepEqual(answer.body, { result: 'success', msg: '', stream_id: at.channels.design })
  })

  it('returns the same error for unknown names and inaccessible channels', async () => {
    const { bob } = at.people

    assertRefused(await bob.get('/get_stream_id', { stream: 'no' }), "Invalid channel name 'no'")
    assertRefused(
      await bob.get('/get_stream_id', { stream: 'secret' }),
      "Invalid channel name 'secret'",
    )
    assertRefused(await bob.get('/get_stream_id'), "Missing 'stream' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'stream',
    })
  })
})

everyHost('get-subscribers', (at) => {
  it('lists the active subscribers to users who can see the channel', async () => {
    const { alice, bob, adam, carol } = at.people

    const [secret, design, general] = [
      await adam.get(`/streams/${at.channels.secret}/members`),
      await carol.get(`/streams/${at.channels.design}/members`),
      await carol.get(`/streams/${at.channels.general}/members`),
    ]

    assert.deepEqual(secret.body.subscribers, [alice.id])
    assert.deepEqual(design.body.subscribers, [alice.id, bob.id])
    assert.equal(general.body.subscribers.includes(at.people.dora.id), false)
  })

  it('refuses all other users', async () => {
    const { bob, gus } = at.people

    assertRefused(await bob.get(`/streams/${at.channels.secret}/members`), 'Invalid channel ID')
    assertRefused(await gus.get(`/streams/${at.channels.design}/members`), 'Invalid channel ID')
    assertRefused(await bob.get(`/streams/${at.unknownId}/members`), 'Invalid channel ID')
  })
})
