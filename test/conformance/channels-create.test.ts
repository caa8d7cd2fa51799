import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing, kinds, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const create = (client: Client, name: string, params: Record<string, unknown> = {}) =>
  client.post('/channels/create', { name, subscribers: [], ...params })

everyHost('create-channel', (at) => {
  it('creates a channel without its creator, and sends events to all users except guests', async () => {
    const { alice, bob, gus } = at.people
    const received = await hearing({ alice, bob, gus }, () =>
      create(alice, '  plans ', { subscribers: [bob.id], description: 'What **next**' }),
    )

    const [channel] = received.alice[0]?.['streams'] ?? []
    assert.equal(channel.name, 'plans')
    assert.equal(channel.rendered_description, '<p>What <strong>next</strong></p>')
    assert.deepEqual(kinds(received.alice), ['stream/create', 'subscription/peer_add'])
    assert.deepEqual(kinds(received.bob), ['stream/create', 'subscription/add'])
    assert.deepEqual(received.bob[1]?.['subscriptions'][0].subscribers, [bob.id])
    assert.deepEqual(received.gus, [])
    const read = await alice.get(`/streams/${channel.stream_id}`)
    // The notification message about the new channel has set first_message_id in the meantime.
    const { first_message_id } = read.body.stream
    assert.ok(first_message_id > 0)
    assert.deepEqual(read.body.stream, { ...channel, subscriber_count: 1, first_message_id })
  })

  it('creates a channel without subscribers', async () => {
    const { alice, bob } = at.people
    const received = await hearing({ bob }, () => create(alice, 'void'))

    assert.deepEqual(kinds(received.bob), ['stream/create'])
    const id = received.bob[0]?.['streams'][0].stream_id
    assert.deepEqual((await alice.get(`/streams/${id}/members`)).body.subscribers, [])
  })

  it('creates private channels, and sends no events about them to other members', async () => {
    const { alice, bob, adam } = at.people
    const received = await hearing({ bob, adam, alice }, () =>
      create(alice, 'cellar', { invite_only: true, history_public_to_subscribers: true }),
    )

    assert.deepEqual(kinds(received.adam), ['stream/create'])
    assert.equal(received.adam[0]?.['streams'][0].history_public_to_subscribers, true)
    assert.deepEqual(kinds(received.alice), ['stream/create'], 'its creator can administer it')
    assert.deepEqual(received.bob, [])
  })

  it('assigns increasing ids', async () => {
    const { alice } = at.people

    const [first, second] = [await makeChannel(alice, 'first'), await makeChannel(alice, 'second')]

    assert.ok(second > first)
  })

  it('refuses a name in use, ignoring case, also by archived and inaccessible channels', async () => {
    const { bob } = at.people
    for (const [name, existing] of [
      ['GENERAL', 'general'],
      ['attic', 'attic'],
      ['secret', 'secret'],
    ]) {
      assertRefused(await create(bob, String(name)), `Channel '${existing}' already exists`, {
        status: 409,
        code: 'CHANNEL_ALREADY_EXISTS',
        channel_name: existing,
      })
    }
  })

  it('checks the name, the description and the subscribers', async () => {
    const { alice, dora } = at.people

    assertRefused(await create(alice, ' '), 'name cannot be blank')
    assertRefused(
      await create(alice, 'x'.repeat(61)),
      'Channel name too long (limit: 60 characters).',
    )
    assertRefused(
      await create(alice, 'wordy', { description: 'd'.repeat(1025) }),
      'description is too long (limit: 1024 characters)',
    )
    assertRefused(await create(alice, 'lost', { subscribers: [at.unknownId] }), 'No such user')
    assertRefused(await create(alice, 'lost', { subscribers: [dora.id] }), 'User is deactivated')
    assertRefused(
      await alice.post('/channels/create', { name: 'x' }),
      "Missing 'subscribers' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscribers' },
    )
  })

  it('checks the options in the same way as subscribe', async () => {
    const { alice, adam, olga } = at.people
    const internet = await systemGroupId(alice, 'role:internet')

    assertRefused(
      await create(alice, 'not made', { can_send_message_group: internet }),
      "'can_send_message_group' setting cannot be set to 'role:internet' group.",
    )
    assertRefused(
      await create(alice, 'not made', { message_retention_days: 0 }),
      "Bad value for 'message_retention_days': 0",
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days', bad_value: 0 },
    )
    assertRefused(
      await create(adam, 'not made', { message_retention_days: 9 }),
      'Must be an organization owner',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    )
    assertRefused(await create(alice, 'not made', { folder_id: 4 }), 'Invalid channel folder ID')
    assertRefused(
      await create(olga, 'not made', { is_web_public: true }),
      'Web-public channels are not enabled.',
    )
  })

  it('refuses guests and accepts bots', async () => {
    const { gus, bot } = at.people

    assertRefused(await create(gus, 'guestly'), 'Not allowed for guest users')
    assert.equal((await create(bot, 'botly')).status, 200)
  })

  it('creates only one of two simultaneous channels with the same name', async () => {
    const { alice, bob } = at.people

    const answers = await Promise.all([create(alice, 'race'), create(bob, 'race')])

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409],
    )
  })
})
