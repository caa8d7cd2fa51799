import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { createdField, createField, editors } from '../support/profile-fields.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

const listenOptions = { event_types: ['custom_profile_fields', 'realm_user'] }
const notAdministrator = 'Must be an organization administrator'

type Field = Record<string, UncheckedJson>

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
  it('returns the new id and sends all fields in order to all active users', async () => {
    const { olga, adam, gus, bot } = at.people
    const first = await createdField(olga, { name: 'Phone' })
    const feeds = [
      await gus.listen(listenOptions),
      await bot.listen(listenOptions),
      await adam.listen(listenOptions),
    ]

    const answer = await createField(adam, {
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

  it('accepts every type', async () => {
    const { adam } = at.people
    for (const type of [1, 2, 4, 5, 6, 8]) {
      await createdField(adam, { name: `Type ${type}`, field_type: type, field_data: { a: 'b' } })
    }
    const custom = { subtype: 'custom', url_pattern: 'https://x.example/%(username)s' }
    await createdField(adam, { name: 'Type 7', field_type: 7, field_data: custom })

    const own = (await fieldsOf(adam)).filter(({ name }) => String(name).startsWith('Type'))
    assert.deepEqual(
      own.map(({ type, field_data }) => [type, field_data]),
      [...[1, 2, 4, 5, 6, 8].map((type) => [type, '']), [7, JSON.stringify(custom)]],
    )
  })

  it('takes the name and the hint of an external account from the server', async () => {
    const { adam } = at.people
    const github = { name: ' ', hint: 'x', field_type: 7, field_data: { subtype: 'github' } }

    const id = await createdField(adam, github)

    const field = (await fieldsOf(adam)).find((one) => one.id === id)
    assert.deepEqual([field?.['name'], field?.['hint']], ['GitHub username', ''])
    assert.equal(field?.['field_data'], '{"subtype":"github"}')
    assertRefused(await createField(adam, github), 'A field with that label already exists.')
    const { snapshot } = await adam.listen({ fetch_event_types: ['realm'] })
    const accounts = snapshot['realm_default_external_accounts']
    assert.equal(accounts.github.url_pattern, 'https://github.com/%(username)s')
  })

  it('rejects invalid fields and sends no event', async () => {
    const { adam } = at.people
    await createdField(adam, { name: 'Taken' })
    const feed = await adam.listen(listenOptions)
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
      [{ name: 'Taken ' }, 'A field with that label already exists.'],
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
      [
        select({ a: { text: 'A'.repeat(65_535), order: '1' } }),
        'field_data is too long (limit: 65535 characters)',
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
        account({ subtype: 'custom', url_pattern: 'ftp://x.example/%(username)s' }),
        'field_data["url_pattern"] is not a URL',
      ],
      [
        account({ subtype: 'github', url_pattern: '%(username)s://x.example/' }),
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

    for (const [params, msg] of cases) assertRefused(await createField(adam, params), msg)

    assertRefused(
      await adam.post('/realm/profile_fields', { name: 'Name' }),
      "Missing 'field_type' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'field_type' },
    )
    assert.deepEqual(await feed.drain(), [])
  })

  it('returns an error to users who are not administrators', async () => {
    for (const name of ['mona', 'alice', 'gus', 'bot'] as const) {
      assertRefused(await createField(at.people[name], { field_type: 'x' }), notAdministrator, {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    assert.equal((await createField(at.nobody, {})).status, 401)
  })
})

everyHost('create-custom-profile-field', (at) => {
  it('allows at most two fields in profile summaries', async () => {
    const { adam } = at.people
    const inSummary = { display_in_profile_summary: true }
    const first = await createdField(adam, { name: 'One', ...inSummary })
    await createdField(adam, { name: 'Two', ...inSummary })
    const third = await createdField(adam, { name: 'Three' })
    const full = 'Only 2 custom profile fields can be displayed in the profile summary.'

    assertRefused(await createField(adam, { name: '', ...inSummary }), full)
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
  it('lists the fields of the organization to every user', async () => {
    const { adam, gus, bot } = at.people
    const other = await at.host.organization()
    await createdField(other.people.adam, { name: 'Theirs' })
    assert.deepEqual(await fieldsOf(gus), [])

    const id = await createdField(adam, { name: 'Ours' })

    for (const reader of [gus, bot]) {
      assert.deepEqual(await fieldsOf(reader), [plainField(id, { name: 'Ours' })])
    }
    assert.equal((await at.nobody.get('/realm/profile_fields')).status, 401)
  })
})

everyHost('update-custom-profile-field', (at) => {
  const update = (client: Client, id: number, params: Record<string, unknown>) =>
    client.patch(`/realm/profile_fields/${id}`, params)

  it('changes the given properties and sends all fields to all active users', async () => {
    const { adam, gus } = at.people
    const id = await createdField(adam, { name: 'Before', hint: 'Stays' })
    const feed = await gus.listen(listenOptions)

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

  it('removes the values of deleted options, without events about users', async () => {
    const { adam, alice, bob } = at.people
    const id = await createdField(adam, { name: 'Editor', field_type: 3, field_data: editors })
    await alice.patch('/users/me/profile_data', { data: [{ id, value: 'vim' }] })
    await bob.patch('/users/me/profile_data', { data: [{ id, value: 'emacs' }] })
    const feed = await bob.listen(listenOptions)

    await update(adam, id, { field_data: { vim: { text: 'Vi', order: '1' } } })

    assert.deepEqual(
      (await feed.drain()).map(({ type }) => type),
      ['custom_profile_fields'],
    )
    assert.deepEqual((await bob.get('/users/me')).body.profile_data, {})
    assert.deepEqual((await alice.get('/users/me')).body.profile_data, { [id]: { value: 'vim' } })
  })

  it('changes only the flags of external account fields', async () => {
    const { adam } = at.people
    const twitter = { subtype: 'twitter' }
    const id = await createdField(adam, { field_type: 7, field_data: twitter })

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

  it('rejects what creating rejects, and unknown fields, with the same errors', async () => {
    const { adam, mona } = at.people
    const other = await at.host.organization()
    const foreign = await createdField(other.people.adam, { name: 'Theirs' })
    await createdField(adam, { name: 'Taken' })
    const id = await createdField(adam, { name: 'Mine', field_type: 2 })
    const select = await createdField(adam, { name: 'Choice', field_type: 3, field_data: editors })

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
  it("removes the field with all users' values", async () => {
    const { adam, alice, gus } = at.people
    const [gone, kept] = [
      await createdField(adam, { name: 'Gone' }),
      await createdField(adam, { name: 'Kept' }),
    ]
    const data = [gone, kept].map((id) => ({ id, value: 'x' }))
    await alice.patch('/users/me/profile_data', { data })
    const feed = await gus.listen(listenOptions)

    const answer = await adam.delete(`/realm/profile_fields/${gone}`)

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'custom_profile_fields', fields: [plainField(kept, { name: 'Kept' })] },
    ])
    assert.deepEqual(Object.keys((await alice.get('/users/me')).body.profile_data), [String(kept)])
  })

  it('rejects unknown fields, and users who are not administrators', async () => {
    const { adam, alice } = at.people
    const id = await createdField(adam, { name: 'Stays' })

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
  it('reorders the fields and sends them to all active users', async () => {
    const { adam, gus } = at.people
    const ids: number[] = []
    for (const name of ['A', 'B', 'C']) ids.push(await createdField(adam, { name }))
    const feed = await gus.listen(listenOptions)
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

  it('rejects an order without one of the fields, and users who are not administrators', async () => {
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
