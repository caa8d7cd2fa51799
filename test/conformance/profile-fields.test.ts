import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const hearing = { event_types: ['custom_profile_fields', 'realm_user'] }
const notAdministrator = 'Must be an organization administrator'
const editors = {
  vim: { text: 'Vim', order: '1' },
  emacs: { text: 'Emacs', order: '2' },
}

const create = (client: Client, params: Record<string, unknown>): Promise<Answer> =>
  client.post('/realm/profile_fields', { name: 'Name', field_type: 1, ...params })

async function createdId(client: Client, params: Record<string, unknown>): Promise<number> {
  const answer = await create(client, params)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id as number
}

type Field = Record<string, any> // eslint-disable-line typescript/no-explicit-any -- whatever the server says

async function fieldsOf(client: Client): Promise<Field[]> {
  return (await client.get('/realm/profile_fields')).body.custom_fields
}

const plainField = (id: number, more: Record<string, unknown>) => ({
  id,
  type: 1,
  order: id,
  hint: '',
  field_data: '',
  required: false,
  editable_by_user: true,
  ...more,
})

everyHost('create-custom-profile-field', (at) => {
  it('answers the new id and tells all active users every field in order', async () => {
    const { olga, adam, gus, bot } = at.people
    const first = await createdId(olga, { name: 'Phone' })
    const feeds = [await gus.listen(hearing), await bot.listen(hearing), await adam.listen(hearing)]

    const answer = await create(adam, {
      name: 'Editor',
      hint: 'Which one?',
      field_type: 3,
      field_data: editors,
      display_in_profile_summary: true,
      required: true,
      editable_by_user: false,
    })

    const { id, ...rest } = answer.body as { id: number }
    assert.deepEqual(rest, bareSuccess)
    const fields = [
      plainField(first, { name: 'Phone' }),
      plainField(id, {
        type: 3,
        name: 'Editor',
        hint: 'Which one?',
        field_data: JSON.stringify(editors),
        display_in_profile_summary: true,
        required: true,
        editable_by_user: false,
      }),
    ]
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [{ type: 'custom_profile_fields', fields }])
    }
    const { snapshot } = await gus.listen({ fetch_event_types: ['custom_profile_fields'] })
    assert.deepEqual(snapshot['custom_profile_fields'], fields)
    assert.deepEqual(snapshot['custom_profile_field_types'], {
      SHORT_TEXT: { id: 1, name: 'Text (short)' },
      LONG_TEXT: { id: 2, name: 'Text (long)' },
      SELECT: { id: 3, name: 'List of options' },
      DATE: { id: 4, name: 'Date' },
      URL: { id: 5, name: 'Link' },
      USER: { id: 6, name: 'Users' },
      EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
      PRONOUNS: { id: 8, name: 'Pronouns' },
    })
  })

  it('takes every type', async () => {
    const { adam } = at.people
    for (const type of [1, 2, 4, 5, 6, 8]) {
      await createdId(adam, { name: `Type ${type}`, field_type: type, field_data: { a: 'b' } })
    }
    const custom = { subtype: 'custom', url_pattern: 'https://x.example/%(username)s' }
    await createdId(adam, { name: 'Type 7', field_type: 7, field_data: custom })

    const own = (await fieldsOf(adam)).filter(({ name }) => String(name).startsWith('Type'))
    assert.deepEqual(
      own.map(({ type, field_data }) => [type, field_data]),
      [...[1, 2, 4, 5, 6, 8].map((type) => [type, '']), [7, JSON.stringify(custom)]],
    )
  })

  it('takes the name and the hint of a built-in account from the server', async () => {
    const { adam } = at.people
    const github = { name: ' ', hint: 'x', field_type: 7, field_data: { subtype: 'github' } }

    const id = await createdId(adam, github)

    const field = (await fieldsOf(adam)).find((one) => one.id === id)
    assert.deepEqual([field?.['name'], field?.['hint']], ['GitHub username', ''])
    assert.equal(field?.['field_data'], '{"subtype":"github"}')
    assertRefused(await create(adam, github), 'A field with that label already exists.')
    const { snapshot } = await adam.listen({ fetch_event_types: ['realm'] })
    const accounts = snapshot['realm_default_external_accounts']
    assert.equal(accounts.github.url_pattern, 'https://github.com/%(username)s')
  })

  it('refuses fields that cannot be, and tells nobody', async () => {
    const { adam } = at.people
    await createdId(adam, { name: 'Taken' })
    const feed = await adam.listen(hearing)
    const select = (field_data: unknown) => ({ field_type: 3, field_data })
    const account = (field_data: unknown) => ({ field_type: 7, field_data })
    const longName = 'n'.repeat(41)
    const cases: [Record<string, unknown>, string][] = [
      [{ field_type: 9 }, 'Invalid field type.'],
      [{ field_type: 'x' }, 'field_type is not valid JSON'],
      [{ field_type: '"x"' }, 'field_type is not an integer'],
      [{ name: '' }, 'Label cannot be blank.'],
      [{ name: '  ', field_type: 9 }, 'Label cannot be blank.'],
      [{ name: longName }, 'name is too long (limit: 40 characters)'],
      [{ hint: 'h'.repeat(81), name: longName }, 'hint is too long (limit: 80 characters)'],
      [{ name: 'Taken' }, 'A field with that label already exists.'],
      [select({}), 'Field must have at least one choice.'],
      [{ field_type: 3 }, 'Field must have at least one choice.'],
      [select({ a: 'A' }), 'field_data is not a dict'],
      [select({ a: { text: 'A' } }), 'order key is missing from field_data'],
      [select({ a: { text: ' ', order: '1' } }), 'field_data["text"] cannot be blank.'],
      [select({ a: { text: 'A', order: '' } }), 'field_data["order"] cannot be blank.'],
      [select({ a: { text: 3, order: '' } }), 'field_data["text"] is not a string'],
      [
        select({ a: { text: 'A', order: '1', more: 'x' } }),
        'Argument "more" at field_data["more"] is unexpected',
      ],
      [select({ ' ': { text: 'A', order: '1' } }), "'value' cannot be blank."],
      [
        select({ a: { text: 'A', order: '1' }, b: { text: 'A', order: '2' } }),
        'Field must not have duplicate choices.',
      ],
      [account({}), 'subtype key is missing from field_data'],
      [account({ subtype: 'gopher' }), 'Invalid external account type'],
      [account({ subtype: 'custom' }), 'Custom external account must define URL pattern'],
      [
        account({ subtype: 'custom', url_pattern: 'https://x.example/' }),
        "URL pattern must contain '%(username)s'.",
      ],
      [
        account({ subtype: 'custom', url_pattern: 'https://%(username)s.example/%(username)s' }),
        "URL pattern must contain '%(username)s'.",
      ],
      [account({ subtype: 'custom', url_pattern: 3 }), 'field_data["url_pattern"] is not a string'],
      [
        account({ subtype: 'custom', url_pattern: 'javascript:%(username)s' }),
        'field_data["url_pattern"] is not a URL',
      ],
      [
        { field_type: 2, display_in_profile_summary: true },
        'Field type not supported for display in profile summary.',
      ],
      [
        { field_type: 6, display_in_profile_summary: true },
        'Field type not supported for display in profile summary.',
      ],
    ]

    for (const [params, msg] of cases) assertRefused(await create(adam, params), msg)

    assertRefused(
      await adam.post('/realm/profile_fields', { name: 'Name' }),
      "Missing 'field_type' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'field_type' },
    )
    assert.deepEqual(await feed.drain(), [])
  })

  it('is for administrators', async () => {
    for (const name of ['mona', 'alice', 'gus', 'bot'] as const) {
      assertRefused(await create(at.people[name], { field_type: 'x' }), notAdministrator, {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    assert.equal((await create(at.nobody, {})).status, 401)
  })
})

everyHost('create-custom-profile-field', (at) => {
  it('lets no more than two be shown in summaries', async () => {
    const { adam } = at.people
    const inSummary = { display_in_profile_summary: true }
    const first = await createdId(adam, { name: 'One', ...inSummary })
    await createdId(adam, { name: 'Two', ...inSummary })
    const third = await createdId(adam, { name: 'Three' })
    const full = 'Only 2 custom profile fields can be displayed in the profile summary.'

    assertRefused(await create(adam, { name: '', ...inSummary }), full)
    assertRefused(await adam.patch(`/realm/profile_fields/${third}`, inSummary), full)
    const same = await adam.patch(`/realm/profile_fields/${first}`, inSummary)
    assert.deepEqual(same.body, bareSuccess)
    await adam.patch(`/realm/profile_fields/${first}`, { display_in_profile_summary: false })
    assert.deepEqual(
      (await adam.patch(`/realm/profile_fields/${third}`, inSummary)).body,
      bareSuccess,
    )
  })
})

everyHost('get-custom-profile-fields', (at) => {
  it('lists the fields of the organization alone, for every user', async () => {
    const { adam, gus, bot } = at.people
    const other = await at.host.organization()
    await createdId(other.people.adam, { name: 'Theirs' })
    assert.deepEqual(await fieldsOf(gus), [])

    const id = await createdId(adam, { name: 'Ours' })

    for (const reader of [gus, bot]) {
      assert.deepEqual(await fieldsOf(reader), [plainField(id, { name: 'Ours' })])
    }
    assert.equal((await at.nobody.get('/realm/profile_fields')).status, 401)
  })
})

everyHost('update-custom-profile-field', (at) => {
  const update = (client: Client, id: number, params: Record<string, unknown>) =>
    client.patch(`/realm/profile_fields/${id}`, params)

  it('changes what is named and tells all active users', async () => {
    const { adam, gus } = at.people
    const id = await createdId(adam, { name: 'Before', hint: 'Stays' })
    const feed = await gus.listen(hearing)

    const answer = await update(adam, id, {
      name: 'After',
      required: true,
      editable_by_user: false,
      display_in_profile_summary: true,
    })
    const again = await update(adam, id, { name: 'After' })

    assert.deepEqual([answer.body, again.body], [bareSuccess, bareSuccess])
    const field = plainField(id, {
      name: 'After',
      hint: 'Stays',
      required: true,
      editable_by_user: false,
      display_in_profile_summary: true,
    })
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'custom_profile_fields', fields: [field] },
    ])
  })

  it('removes the values of choices that are gone, without telling of users', async () => {
    const { adam, alice, bob } = at.people
    const id = await createdId(adam, { name: 'Editor', field_type: 3, field_data: editors })
    await alice.patch('/users/me/profile_data', { data: [{ id, value: 'vim' }] })
    await bob.patch('/users/me/profile_data', { data: [{ id, value: 'emacs' }] })
    const feed = await bob.listen(hearing)

    await update(adam, id, { field_data: { vim: { text: 'Vi', order: '1' } } })

    assert.deepEqual(
      (await feed.drain()).map(({ type }) => type),
      ['custom_profile_fields'],
    )
    assert.deepEqual((await bob.get('/users/me')).body.profile_data, {})
    assert.deepEqual((await alice.get('/users/me')).body.profile_data, { [id]: { value: 'vim' } })
  })

  it('changes nothing of built-in accounts but the flags', async () => {
    const { adam } = at.people
    const twitter = { subtype: 'twitter' }
    const id = await createdId(adam, { field_type: 7, field_data: twitter })

    for (const params of [{ name: 'Bird' }, { hint: 'x' }, { field_data: { subtype: 'github' } }]) {
      assertRefused(await update(adam, id, params), 'Default custom field cannot be updated.')
    }
    const flags = { required: true, editable_by_user: false }
    const answer = await update(adam, id, {
      name: 'Twitter username',
      field_data: twitter,
      ...flags,
    })
    assert.deepEqual(answer.body, bareSuccess)
  })

  it('refuses what creating refuses, and fields that do not exist alike', async () => {
    const { adam, mona } = at.people
    const other = await at.host.organization()
    const foreign = await createdId(other.people.adam, { name: 'Theirs' })
    await createdId(adam, { name: 'Taken' })
    const id = await createdId(adam, { name: 'Mine', field_type: 2 })
    const select = await createdId(adam, { name: 'Choice', field_type: 3, field_data: editors })

    assertRefused(
      await update(adam, id, { name: 'Taken' }),
      'A field with that label already exists.',
    )
    assertRefused(await update(adam, id, { name: ' ' }), 'Label cannot be blank.')
    assertRefused(
      await update(adam, id, { display_in_profile_summary: true }),
      'Field type not supported for display in profile summary.',
    )
    assertRefused(
      await update(adam, select, { field_data: {} }),
      'Field must have at least one choice.',
    )
    for (const unknown of [foreign, at.unknownId]) {
      assertRefused(await update(adam, unknown, { name: 'X' }), `Field id ${unknown} not found.`)
    }
    assertRefused(await update(mona, id, {}), notAdministrator, { code: 'UNAUTHORIZED_PRINCIPAL' })
  })
})

everyHost('delete-custom-profile-field', (at) => {
  it("removes the field with everyone's values", async () => {
    const { adam, alice, gus } = at.people
    const [gone, kept] = [
      await createdId(adam, { name: 'Gone' }),
      await createdId(adam, { name: 'Kept' }),
    ]
    const data = [gone, kept].map((id) => ({ id, value: 'x' }))
    await alice.patch('/users/me/profile_data', { data })
    const feed = await gus.listen(hearing)

    const answer = await adam.delete(`/realm/profile_fields/${gone}`)

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'custom_profile_fields', fields: [plainField(kept, { name: 'Kept' })] },
    ])
    assert.deepEqual(Object.keys((await alice.get('/users/me')).body.profile_data), [String(kept)])
  })

  it('refuses fields that do not exist, and others than administrators', async () => {
    const { adam, alice } = at.people
    const id = await createdId(adam, { name: 'Stays' })

    assertRefused(
      await adam.delete(`/realm/profile_fields/${at.unknownId}`),
      `Field id ${at.unknownId} not found.`,
    )
    assertRefused(await alice.delete(`/realm/profile_fields/${id}`), notAdministrator, {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  })
})

everyHost('reorder-custom-profile-fields', (at) => {
  it('gives the fields their places and tells all active users', async () => {
    const { adam, gus } = at.people
    const ids: number[] = []
    for (const name of ['A', 'B', 'C']) ids.push(await createdId(adam, { name }))
    const feed = await gus.listen(hearing)
    const order = [...ids].reverse()

    const answer = await adam.patch('/realm/profile_fields', { order })

    assert.deepEqual(answer.body, bareSuccess)
    const [event] = await feed.drain()
    assert.deepEqual(
      event?.['fields'].map((field: { id: number; order: number }) => [field.id, field.order]),
      order.map((id, index) => [id, index]),
    )
    assert.deepEqual(await fieldsOf(gus), event?.['fields'])
  })

  it('refuses an order without one of the fields, and others than administrators', async () => {
    const { adam, alice } = at.people
    const order = (await fieldsOf(adam)).map(({ id }) => id)

    assertRefused(
      await adam.patch('/realm/profile_fields', { order: order.slice(1) }),
      'Invalid order mapping.',
    )
    assertRefused(await alice.patch('/realm/profile_fields', { order }), notAdministrator, {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  })
})

/** Makes a field and gives the way to set the caller's value of it. */
async function settable(at: HostCase, params: Record<string, unknown>) {
  const id = await createdId(at.people.adam, params)
  const set = (client: Client, value: unknown) =>
    client.patch('/users/me/profile_data', { data: [{ id, value }] })
  return { id, set }
}

everyHost('update-profile-data', (at) => {
  it('keeps the value of each type as text, and the HTML of texts', async () => {
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
      const id = await createdId(adam, { name: `T${field_type}`, field_type, field_data })
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

  it('tells all active users of each field that changed', async () => {
    const { adam, alice, gus, bot } = at.people
    const [text, date] = [
      await createdId(adam, { name: 'Text' }),
      await createdId(adam, { name: 'Day', field_type: 4 }),
    ]
    const feeds = [
      await gus.listen(hearing),
      await bot.listen(hearing),
      await alice.listen(hearing),
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

    const told = [
      { id: text, value: 'Hi', rendered_value: '<p>Hi</p>' },
      { id: date, value: '2000-01-01' },
      { id: date, value: null },
    ].map((custom_profile_field) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: alice.id, custom_profile_field },
    }))
    for (const feed of feeds) assert.deepEqual(withoutIds(await feed.drain()), told)
  })

  it('removes a value for an empty text or list, silently where there is none', async () => {
    const { alice, bob } = at.people
    const { id, set } = await settable(at, { name: 'Friends', field_type: 6 })
    await set(alice, [bob.id])
    const feed = await bob.listen(hearing)

    assert.deepEqual((await set(alice, [])).body, bareSuccess)
    assert.deepEqual((await set(alice, '')).body, bareSuccess)

    assert.equal(id in (await alice.get('/users/me')).body.profile_data, false)
    assert.equal((await feed.drain()).length, 1)
  })

  it('refuses values that do not fit the type', async () => {
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
      ids.set(type, await createdId(at.people.adam, params))
    }
    const feed = await alice.listen(hearing)

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

  it('leaves some fields to administrators', async () => {
    const { alice, adam } = at.people
    const { set } = await settable(at, { name: 'Desk', editable_by_user: false })

    assertRefused(
      await set(alice, '42'),
      'You are not allowed to change this field. Contact an administrator to update it.',
    )
    assert.deepEqual((await set(adam, '43')).body, bareSuccess)
  })

  it('is open to guests, and not to bots', async () => {
    const { gus, bot } = at.people
    const { set } = await settable(at, { name: 'Open' })

    assert.deepEqual((await set(gus, 'x')).body, bareSuccess)
    assertRefused(await set(bot, 'x'), 'This endpoint does not accept bot requests.')
    assert.equal((await set(at.nobody, 'x')).status, 401)
  })
})

everyHost('remove-profile-data', (at) => {
  it('removes values and tells, silently where there is none', async () => {
    const { alice, gus } = at.people
    const { id, set } = await settable(at, { name: 'Motto' })
    await set(alice, 'x')
    const feed = await gus.listen(hearing)

    const answer = await alice.delete('/users/me/profile_data', { data: [id] })
    const again = await alice.delete('/users/me/profile_data', { data: [id] })

    assert.deepEqual([answer.body, again.body], [bareSuccess, bareSuccess])
    const person = { user_id: alice.id, custom_profile_field: { id, value: null } }
    assert.deepEqual(withoutIds(await feed.drain()), [{ type: 'realm_user', op: 'update', person }])
    assert.deepEqual((await alice.get('/users/me')).body.profile_data, {})
  })

  it('refuses unknown fields, fields of administrators, and bots', async () => {
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
  it("lets administrators set anybody's values, and owners of bots what users may", async () => {
    const { adam, alice, bob, bot, gus } = at.people
    const open = await createdId(adam, { name: 'Open' })
    const closed = await createdId(adam, { name: 'Closed', editable_by_user: false })
    const feed = await gus.listen(hearing)
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

  it('changes nothing at all if one value is wrong', async () => {
    const { adam, carol } = at.people
    const id = await createdId(adam, { name: 'Day', field_type: 4 })

    const profile_data = [{ id, value: 'today' }]
    const answer = await adam.patch(`/users/${carol.id}`, { full_name: 'Other', profile_data })

    assertRefused(answer, 'Day is not a date')
    assert.equal((await carol.get('/users/me')).body.full_name, 'Carol Test')
  })
})

everyHost(
  'update-profile-data',
  (at) => {
    it('tells no guest who may not know of the user', async () => {
      const { carol, alice, gus } = at.people
      const { id, set } = await settable(at, { name: 'Motto' })
      await alice.delete('/users/me/subscriptions', {
        subscriptions: ['general'],
        principals: [alice.id],
      })
      const [guest, member] = [await gus.listen(hearing), await carol.listen(hearing)]

      await set(alice, 'Quiet')

      assert.deepEqual(await guest.drain(), [])
      assert.equal((await member.drain())[0]?.['person'].custom_profile_field.id, id)
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
