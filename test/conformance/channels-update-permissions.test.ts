import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing, kinds, makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const update = (client: Client, id: number, params: Record<string, unknown>) =>
  client.patch(`/streams/${id}`, params)
const alone = (client: Client) => ({ direct_members: [client.id], direct_subgroups: [] })

everyHost('update-stream', (at) => {
  it('refuses invalid kinds of channels, names and folders', async () => {
    const { alice } = at.people
    const id = await makeChannel(alice, 'shapeless')
    const refused = async (params: Record<string, unknown>, msg: string) =>
      assertRefused(await update(alice, id, params), msg)

    await refused({ is_private: true, is_web_public: true }, 'Invalid parameters')
    await refused({ history_public_to_subscribers: false }, 'Invalid parameters')
    await refused({ is_web_public: true }, 'Web-public channels are not enabled.')
    await refused({ new_name: 'shapeless' }, 'Channel already has that name.')
    await refused({ new_name: '' }, "Channel name can't be empty.")
    await refused({ folder_id: 3 }, 'Invalid channel folder ID')
    await refused(
      { description: 'd'.repeat(1025) },
      'description is too long (limit: 1024 characters)',
    )
    assertRefused(
      await update(alice, id, { new_name: 'Attic' }),
      "Channel 'Attic' already exists",
      { status: 409, code: 'CHANNEL_ALREADY_EXISTS', channel_name: 'Attic' },
    )
  })

  it('changes nothing if one of several changes is refused', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'whole')
    const received = await hearing({ bob }, () =>
      update(alice, id, { description: 'new', new_name: 'general' }),
    )

    assert.deepEqual(received.bob, [])
    assert.equal((await bob.get(`/streams/${id}`)).body.stream.description, '')
  })

  it('is restricted to administrators of the organization or the channel', async () => {
    const { olga, adam, mona, alice, bob, bot, gus } = at.people
    const id = await makeChannel(alice, 'ruled', { subscribers: [gus.id] })
    const description = (client: Client, text: string) => update(client, id, { description: text })

    for (const client of [olga, adam, alice]) {
      assert.equal((await description(client, `by ${client.name}`)).status, 200)
    }
    for (const client of [mona, bob, bot, gus]) {
      assertRefused(
        await description(client, 'no'),
        'You do not have permission to administer this channel.',
      )
    }
    for (const [client, channelId] of [
      [mona, at.channels.secret],
      [gus, at.channels.design],
      [bob, at.unknownId],
    ] as const) {
      assertRefused(await update(client, channelId, { description: 'x' }), 'Invalid channel ID')
    }
  })

  it('requires access to the content for changes that open it', async () => {
    const { adam, alice } = at.people
    const id = await makeChannel(alice, 'sealed', { invite_only: true, subscribers: [alice.id] })
    const members = await systemGroupId(alice, 'role:members')

    for (const params of [
      { is_private: false },
      { can_subscribe_group: { new: members } },
      { can_add_subscribers_group: { new: members } },
    ]) {
      assertRefused(await update(adam, id, params), 'Channel content access is required.')
    }
    assert.equal((await update(adam, id, { new_name: 'unsealed' })).status, 200)
  })

  it('restricts who can delete messages to users whom the organization permits to delete them', async () => {
    const { alice, mona, adam } = at.people
    const id = await makeChannel(alice, 'cleanable', { can_administer_channel_group: alone(mona) })
    const mine = await makeChannel(alice, 'cleanable too')
    const members = await systemGroupId(alice, 'role:members')
    const params = { can_delete_any_message_group: { new: members } }

    assertRefused(await update(alice, mine, params), 'Insufficient permission')
    assert.equal((await update(mona, id, params)).status, 200)
    assert.equal((await update(adam, mine, params)).status, 200)
  })
})

const kindSettings: Record<string, unknown> = {
  enable_spectator_access: true,
  can_create_private_channel_group: 'role:owners',
  can_set_topics_policy_group: 'role:owners',
}

everyHost(
  'update-stream',
  (at) => {
    it('requires the permission to create channels of the new kind', async () => {
      const { alice, olga, gus } = at.people
      const id = await makeChannel(alice, 'switching', { subscribers: [alice.id, olga.id] })

      assertRefused(await update(alice, id, { is_private: true }), 'Insufficient permission')
      assertRefused(await update(alice, id, { is_web_public: true }), 'Insufficient permission')
      const received = await hearing({ gus }, () => update(olga, id, { is_web_public: true }))
      assert.deepEqual(kinds(received.gus), ['stream/create', 'subscription/peer_add'])
      const restricted = await hearing({ gus }, () => update(olga, id, { is_private: false }))
      assert.deepEqual(kinds(restricted.gus), ['stream/delete'])
    })

    it("requires the organization's permission to set a topics policy", async () => {
      const { alice, olga } = at.people
      const id = await makeChannel(alice, 'free')

      assertRefused(
        await update(alice, id, { topics_policy: 'allow_empty_topic' }),
        'Insufficient permission',
      )
      assert.equal((await update(alice, id, { topics_policy: 'inherit' })).status, 200)
      assert.equal((await update(olga, id, { topics_policy: 'allow_empty_topic' })).status, 200)
    })

    it('keeps the channel for moderation requests private', async () => {
      const { olga, alice } = at.people
      const params = { subscriptions: [{ name: 'secret' }], principals: [olga.id] }
      const { status, text } = await alice.post('/users/me/subscriptions', params)
      assert.equal(status, 200, text)

      assertRefused(
        await update(olga, at.channels.secret, { is_private: false }),
        'A moderation request channel cannot be public.',
      )
    })
  },
  {
    settings: kindSettings,
    more: ({ channels }) => {
      // The ids that the settings refer to are not known before.
      kindSettings['moderation_request_channel_id'] = channels.secret
      return {}
    },
  },
)
