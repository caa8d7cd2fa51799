import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const outsider = { direct_members: [], direct_subgroups: [] }

/** A group with bob and carol, within another one: `outer` contains `inner`, their group. */
async function nested(
  { people }: HostCase,
  name: string,
): Promise<{ inner: number; outer: number }> {
  const { olga, bob, carol } = people
  const inner = await makeGroup(olga, `${name} inner`, { members: [bob.id, carol.id] })
  const outer = await makeGroup(olga, `${name} outer`, { subgroups: [inner] })
  return { inner, outer }
}

async function ok(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  assert.equal(status, 200, text)
}

/** Leaves a deactivated group within an active one. */
async function deactivateInner(by: Client, inner: number, outer: number): Promise<void> {
  await ok(by.post(`/user_groups/${outer}/deactivate`))
  await ok(by.post(`/user_groups/${inner}/deactivate`))
  await ok(by.patch(`/user_groups/${outer}`, { deactivated: false }))
}

everyHost('deactivate-user-group', (at) => {
  it('ends the rights that members have by the settings of the group itself', async () => {
    const { olga, bob } = at.people
    const id = await makeGroup(olga, 'self-governed', { members: [bob.id] })
    await ok(olga.patch(`/user_groups/${id}`, { can_manage_group: { new: id } }))
    await ok(bob.patch(`/user_groups/${id}`, { description: 'Managed by members' }))

    await ok(olga.post(`/user_groups/${id}/deactivate`))

    assertRefused(
      await bob.patch(`/user_groups/${id}`, { deactivated: false }),
      'Insufficient permission',
    )
    await ok(olga.patch(`/user_groups/${id}`, { deactivated: false }))
    await ok(bob.patch(`/user_groups/${id}`, { description: 'Again' }))
  })

  it('ends access to archived channels, also after they are unarchived', async () => {
    const { olga, bob } = at.people
    const id = await makeGroup(olga, 'readers of the archive', { members: [bob.id] })
    const created = await olga.post('/channels/create', {
      name: 'group archive',
      subscribers: [olga.id],
      invite_only: true,
      can_subscribe_group: id,
    })
    const channel = created.body.id
    await ok(olga.delete(`/streams/${channel}`))
    const seen = async (): Promise<boolean> => (await bob.get(`/streams/${channel}`)).status === 200
    assert.ok(await seen())
    const feed = await bob.listen({
      event_types: ['stream'],
      client_capabilities: { notification_settings_null: true, archived_channels: true },
    })

    await ok(olga.post(`/user_groups/${id}/deactivate`))

    assert.equal(await seen(), false)
    const [gone] = await feed.drain()
    assert.deepEqual([gone?.['op'], gone?.['stream_ids']], ['delete', [channel]])
    await ok(olga.patch(`/streams/${channel}`, { is_archived: false }))
    assert.equal(await seen(), false)
    const subscription = { subscriptions: [{ name: 'group archive' }] }
    assert.equal((await bob.post('/users/me/subscriptions', subscription)).status, 400)

    await ok(olga.patch(`/user_groups/${id}`, { deactivated: false }))
    assert.ok(await seen())
    const appeared = (await feed.drain()).find(({ op }) => op === 'create')
    assert.equal(appeared?.['streams'][0].stream_id, channel)
    await ok(bob.post('/users/me/subscriptions', subscription))
  })

  it('ends what members have through another group', async () => {
    const { olga, alice, bob } = at.people
    const { inner, outer } = await nested(at, 'rights')
    await ok(
      olga.patch('/realm', {
        can_create_groups: { new: { ...outsider, direct_subgroups: [outer] } },
      }),
    )
    const create = (name: string) =>
      bob.post('/user_groups/create', { name, description: '', members: [] })
    await ok(create('while active'))
    await ok(olga.patch('/realm', { can_create_groups: { new: outsider } }))

    await deactivateInner(olga, inner, outer)

    await ok(
      olga.patch('/realm', {
        can_create_groups: { new: { ...outsider, direct_subgroups: [outer] } },
      }),
    )
    assertRefused(await create('while deactivated'), 'Insufficient permission')
    const id = await alice.say(at.channels.general, 'rights', 'Hello @*rights outer*')
    const { body } = await bob.get(`/messages/${id}`)
    assert.equal(body.message.flags.includes('mentioned'), false)
    const members = await systemGroupId(olga, 'role:members')
    await ok(olga.patch('/realm', { can_create_groups: { new: members } }))
  })

  it('ends mentions of members within other groups, until the group is reactivated', async () => {
    const { olga, alice, bob } = at.people
    const { inner, outer } = await nested(at, 'mentions')
    const isMentioned = async (): Promise<boolean> => {
      const id = await alice.say(at.channels.general, 'mentions', 'Hello @*mentions outer*')
      return (await bob.get(`/messages/${id}`)).body.message.flags.includes('mentioned')
    }
    assert.ok(await isMentioned())
    await deactivateInner(olga, inner, outer)
    assert.equal(await isMentioned(), false)
    await ok(olga.patch(`/user_groups/${inner}`, { deactivated: false }))
    assert.ok(await isMentioned())
  })
})
