import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { createdField, editors } from '../support/profile-fields.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['custom_profile_fields', 'realm_user'] }

/** Creates a field and returns a function that sets the caller's value of it. */
async function settable(at: HostCase, params: Record<string, unknown>) {
  const id = await createdField(at.people.adam, params)
  const set = (client: Client, value: unknown) =>
    client.patch('/users/me/profile_data', { data: [{ id, value }] })
  return { id, set }
}

everyHost('update-profile-data', (at) => {
  it('stores the value of each type as text, and the HTML of texts', async () => {
    const { adam, alice, bob, carol } = at.people
    const url_pattern = 'https://x.example/%(username)s'
    const values: [number, unknown, Record<string, unknown>][] = [
      [1, 'I am *here*', { rendered_value: '<p>I am <em>here</em></p>' }],
      [2, '**Long**', { rendered_value: '<p><strong>Long</strong></p>' }],
      [3, 'vim', {}],
      [4, '2024-02-29', {}],
      [5, 'ftps://files.example/a', {}],
      [6, [bob.id, carol.id], { value: `[${bob.id},${carol.id}]` }],
      [7, 'alice', {}],
      [8, 'she/her', {}],
    ]
    const data: { id: number; value: unknown }[] = []
    for (const [field_type, value] of values) {
      const field_data =
        field_type === 7 ? { subtype: 'custom', url_pattern } : field_type === 3 ? editors : {}
      const id = await createdField(adam, { name: `T${field_type}`, field_type, field_data })
      data.push({ id, value })
    }

    const answer = await alice.patch('/users/me/profile_data', { data })

    assert.deepEqual(answer.body, bareSuccess)
    const expected = Object.fromEntries(
      values.map(([, value, more], index) => [data[index]?.id, { value, ...more }]),
    )
    assert.deepEqual((await alice.get('/users/me')).body.profile_data, expected)
    const { body } = await bob.get('/users', { include_custom_profile_fields: true })
    const members = body.members as { user_id: number; profile_data?: unknown }[]
    assert.deepEqual(members.find((user) => user.user_id === alice.id)?.profile_data, expected)
    assert.deepEqual(members.find((user) => user.user_id === bob.id)?.profile_data, {})
    const one = await bob.get(`/users/${alice.id}`, { include_custom_profile_fields: true })
    assert.deepEqual(one.body.user.profile_data, expected)
    assert.equal('profile_data' in (await bob.get(`/users/${alice.id}`)).body.user, false)
    const { snapshot } = await bob.listen({ fetch_event_types: ['realm_user'] })
    const users = snapshot['realm_users'] as { user_id: number; profile_data?: unknown }[]
    assert.deepEqual(users.find((user) => user.user_id === alice.id)?.profile_data, expected)
  })

  it('sends an event for each changed field to all active users', async () => {
    const { adam, alice, gus, bot } = at.people
    const [text, date] = [
      await createdField(adam, { name: 'Text' }),
      await createdField(adam, { name: 'Day', field_type: 4 }),
    ]
    const feeds = [
      await gus.listen(listenOptions),
      await bot.listen(listenOptions),
      await alice.listen(listenOptions),
    ]
    const change = (data: unknown) => alice.patch('/users/me/profile_data', { data })

    await change([
      { id: text, value: 'Hi' },
      { id: date, value: '2000-01-01' },
    ])
    await change([
      { id: text, value: 'Hi' },
      { id: date, value: null },
    ])

    const expected = [
      { id: text, value: 'Hi', rendered_value: '<p>Hi</p>' },
      { id: date, value: '2000-01-01' },
      { id: date, value: null },
    ].map((custom_profile_field) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: alice.id, custom_profile_field },
    }))
    for (const feed of feeds) assert.deepEqual(withoutIds(await feed.drain()), expected)
  })

  it('removes a value if the new one is an empty text or list, and sends no event if there was none', async () => {
    const { alice, bob } = at.people
    const { id, set } = await settable(at, { name: 'Friends', field_type: 6 })
    await set(alice, [bob.id])
    const feed = await bob.listen(listenOptions)

    assert.deepEqual((await set(alice, [])).body, bareSuccess)
    assert.deepEqual((await set(alice, '')).body, bareSuccess)

    assert.equal(id in (await alice.get('/users/me')).body.profile_data, false)
    assert.equal((await feed.drain()).length, 1)
  })

  it('rejects values that do not fit the type', async () => {
    const { alice, bot, dora } = at.people
    const cases: [number, unknown, string][] = [
      [1, 'x'.repeat(51), 'F1 is too long (limit: 50 characters)'],
      [1, [3], 'F1 is not a string'],
      [1, 3, 'F1 is not a string'],
      [2, 'x'.repeat(501), 'F2 is too long (limit: 500 characters)'],
      [3, 'nano', "'nano' is not a valid choice for 'F3'."],
      [4, '2023-02-29', 'F4 is not a date'],
      [4, '2023-2-1', 'F4 is not a date'],
      [5, 'javascript:alert(1)', 'F5 is not a URL'],
      [5, 'not a url', 'F5 is not a URL'],
      [5, 'https://', 'F5 is not a URL'],
      [6, '[3]', 'User IDs is not a list'],
      [6, { 0: 3 }, 'User IDs is not a list'],
      [6, ['3'], 'User IDs[0] is not an integer'],
      [6, [at.unknownId], `Invalid user ID: ${at.unknownId}`],
      [6, [dora.id], `User with ID ${dora.id} is deactivated`],
      [6, [bot.id], `User with ID ${bot.id} is a bot`],
      [7, 'x'.repeat(51), 'F7 is too long (limit: 50 characters)'],
      [8, 'x'.repeat(51), 'F8 is too long (limit: 50 characters)'],
    ]
    const ids = new Map<number, number>()
    for (const type of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const field_data =
        type === 7
          ? { subtype: 'custom', url_pattern: 'https://y.example/%(username)s' }
          : type === 3
            ? editors
            : {}
      const params = { name: `F${type}`, field_type: type, field_data }
      ids.set(type, await createdField(at.people.adam, params))
    }
    const feed = await alice.listen(listenOptions)

    for (const [type, value, msg] of cases) {
      const data = [
        { id: ids.get(1), value: 'fine' },
        { id: ids.get(type), value },
      ]
      assertRefused(await alice.patch('/users/me/profile_data', { data }), msg)
    }

    const data = [{ id: at.unknownId, value: 'x' }]
    assertRefused(
      await alice.patch('/users/me/profile_data', { data }),
      `Field id ${at.unknownId} not found.`,
    )
    assert.deepEqual(await feed.drain(), [])
  })

  it('lets only administrators change some fields', async () => {
    const { alice, adam } = at.people
    const { set } = await settable(at, { name: 'Desk', editable_by_user: false })

    assertRefused(
      await set(alice, '42'),
      'You are not allowed to change this field. Contact an administrator to update it.',
    )
    assert.deepEqual((await set(adam, '43')).body, bareSuccess)
  })

  it('accepts calls by guests, but not by bots', async () => {
    const { gus, bot } = at.people
    const { set } = await settable(at, { name: 'Open' })

    assert.deepEqual((await set(gus, 'x')).body, bareSuccess)
    assertRefused(await set(bot, 'x'), 'This endpoint does not accept bot requests.')
    assert.equal((await set(at.nobody, 'x')).status, 401)
  })
})

everyHost('remove-profile-data', (at) => {
  it('removes values and sends events, but none for fields without a value', async () => {
    const { alice, gus } = at.people
    const { id, set } = await settable(at, { name: 'Motto' })
    await set(alice, 'x')
    const feed = await gus.listen(listenOptions)

    const answer = await alice.delete('/users/me/profile_data', { data: [id] })
    const again = await alice.delete('/users/me/profile_data', { data: [id] })

    assert.deepEqual([answer.body, again.body], [bareSuccess, bareSuccess])
    const person = { user_id: alice.id, custom_profile_field: { id, value: null } }
    assert.deepEqual(withoutIds(await feed.drain()), [{ type: 'realm_user', op: 'update', person }])
    assert.deepEqual((await alice.get('/users/me')).body.profile_data, {})
  })

  it('rejects unknown fields, fields that only administrators edit, and calls by bots', async () => {
    const { alice, bot } = at.people
    const { id } = await settable(at, { name: 'Desk', editable_by_user: false })
    const remove = (client: Client, data: unknown) =>
      client.delete('/users/me/profile_data', { data })

    assertRefused(await remove(alice, [at.unknownId]), `Field id ${at.unknownId} not found.`)
    assertRefused(
      await remove(alice, [id]),
      'You are not allowed to change this field. Contact an administrator to update it.',
    )
    assertRefused(await remove(bot, [id]), 'This endpoint does not accept bot requests.')
  })
})

everyHost('update-user', (at) => {
  it("lets administrators set any user's values, and owners of bots the values that users may set", async () => {
    const { adam, alice, bob, bot, gus } = at.people
    const open = await createdField(adam, { name: 'Open' })
    const closed = await createdField(adam, { name: 'Closed', editable_by_user: false })
    const feed = await gus.listen(listenOptions)
    const setting = (client: Client, target: Client, id: number, value: unknown) =>
      client.patch(`/users/${target.id}`, { profile_data: [{ id, value }] })

    assert.deepEqual((await setting(adam, bob, closed, 'Desk 4')).body, bareSuccess)
    assert.deepEqual((await setting(adam, bob, closed, 'Desk 4')).body, bareSuccess)
    assertRefused(
      await setting(alice, bot, closed, 'x'),
      'You are not allowed to change this field. Contact an administrator to update it.',
    )
    assert.deepEqual((await setting(alice, bot, open, null)).body, bareSuccess)
    assertRefused(await setting(alice, bob, open, 'x'), 'Insufficient permission')

    const custom_profile_field = { id: closed, value: 'Desk 4', rendered_value: '<p>Desk 4</p>' }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'realm_user', op: 'update', person: { user_id: bob.id, custom_profile_field } },
    ])
  })

  it('changes nothing if one value is invalid', async () => {
    const { adam, carol } = at.people
    const id = await createdField(adam, { name: 'Day', field_type: 4 })

    const profile_data = [{ id, value: 'today' }]
    const answer = await adam.patch(`/users/${carol.id}`, { full_name: 'Other', profile_data })

    assertRefused(answer, 'Day is not a date')
    assert.equal((await carol.get('/users/me')).body.full_name, 'Carol Test')
  })
})

everyHost(
  'update-profile-data',
  (at) => {
    it('sends no event to guests without access to the user', async () => {
      const { carol, alice, gus } = at.people
      const { id, set } = await settable(at, { name: 'Motto' })
      await alice.delete('/users/me/subscriptions', {
        subscriptions: ['general'],
        principals: [alice.id],
      })
      const [guest, member] = [await gus.listen(listenOptions), await carol.listen(listenOptions)]

      await set(alice, 'Quiet')

      assert.deepEqual(await guest.drain(), [])
      assert.equal((await member.drain())[0]?.['person'].custom_profile_field.id, id)
    })

    it("rejects users in a guest's value to whom the guest has no access", async () => {
      const { bob, carol, gus } = at.people
      const { set } = await settable(at, { name: 'Mates', field_type: 6 })
      await bob.delete('/users/me/subscriptions', { subscriptions: ['general'] })

      assertRefused(await set(gus, [carol.id, bob.id]), `Invalid user ID: ${bob.id}`)
      assert.deepEqual((await set(gus, [carol.id])).body, bareSuccess)
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
