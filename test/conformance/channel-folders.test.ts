import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const feedOptions = { event_types: ['channel_folder'] }
const refusedRole = [
  'Must be an organization administrator',
  { code: 'UNAUTHORIZED_PRINCIPAL' },
] as const
const unknown = 'Invalid channel folder ID'
const notAdministrators = ['mona', 'alice', 'gus', 'bot'] as const

const create = (client: Client, name: string, description?: string): Promise<Answer> =>
  client.post('/channel_folders/create', { name, description })

async function createdId(client: Client, name: string): Promise<number> {
  const answer = await create(client, name)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.channel_folder_id as number
}

const namesOf = async (client: Client, params: Record<string, unknown> = {}): Promise<string[]> =>
  (await client.get('/channel_folders', params)).body.channel_folders.map((folder) => folder.name)

everyHost('create-channel-folder', (at) => {
  it('returns the new id, and sends an event to all active users', async () => {
    const { adam, alice, gus, bot } = at.people
    const feeds = [
      await gus.listen(feedOptions),
      await bot.listen(feedOptions),
      await alice.listen(feedOptions),
    ]

    const answer = await create(adam, '  Product ', 'What we *make*')

    const { channel_folder_id: id, ...rest } = answer.body as { channel_folder_id: number }
    assert.deepEqual(rest, bareSuccess)
    const channel_folder = {
      id,
      name: 'Product',
      description: 'What we *make*',
      rendered_description: '<p>What we <em>make</em></p>',
      order: id,
      creator_id: adam.id,
      date_created: Math.floor(at.clock.now() / 1000),
      is_archived: false,
    }
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'channel_folder', op: 'add', channel_folder },
      ])
    }
    const { snapshot } = await gus.listen({ fetch_event_types: ['channel_folders'] })
    assert.deepEqual(snapshot['channel_folders'], [channel_folder])
    const listed = await gus.get('/channel_folders')
    assert.deepEqual(listed.body.channel_folders, [channel_folder])
  })

  it('does not require a description', async () => {
    const id = await createdId(at.people.adam, 'Bare')

    const { body } = await at.people.alice.get('/channel_folders')
    const folder = body.channel_folders.find((one) => one.id === id)
    assert.deepEqual([folder!.description, folder!.rendered_description], ['', ''])
  })

  it('refuses invalid names and names in use', async () => {
    const { adam } = at.people
    await createdId(adam, 'Taken')
    const gone = await createdId(adam, 'Archived')
    await adam.patch(`/channel_folders/${gone}`, { is_archived: true })
    const feed = await adam.listen(feedOptions)

    assertRefused(await create(adam, '  '), "Channel folder name can't be empty.")
    assertRefused(
      await create(adam, 'a\u0007b'),
      'Invalid character in channel folder name, at position 2.',
    )
    assertRefused(await create(adam, 'n'.repeat(61)), 'name is too long (limit: 60 characters)')
    assertRefused(
      await create(adam, 'Long', 'd'.repeat(1025)),
      'description is too long (limit: 1024 characters)',
    )
    assertRefused(await create(adam, 'tAKEN'), 'Channel folder name already in use')
    assertRefused(await create(adam, 'archived'), 'Channel folder name already in use')
    assertRefused(await adam.post('/channel_folders/create'), "Missing 'name' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'name',
    })
    assert.deepEqual(await feed.drain(), [])
  })

  it('is restricted to administrators', async () => {
    for (const name of notAdministrators) {
      assertRefused(await create(at.people[name], ''), ...refusedRole)
    }
    assert.equal((await create(at.nobody, 'X')).status, 401)
  })
})

everyHost('get-channel-folders', (at) => {
  it('lists the folders of the organization, archived ones only on request', async () => {
    const { adam, gus, bot } = at.people
    const other = await at.host.organization()
    await createdId(other.people.adam, 'Theirs')
    const archived = await createdId(adam, 'Old')
    await createdId(adam, 'New')
    await adam.patch(`/channel_folders/${archived}`, { is_archived: true })

    assert.deepEqual(await namesOf(gus), ['New'])
    assert.deepEqual(await namesOf(bot, { include_archived: true }), ['Old', 'New'])
    const { snapshot } = await gus.listen({ fetch_event_types: ['channel_folders'] })
    assert.deepEqual(
      snapshot['channel_folders'].map((folder: { name: string }) => folder.name),
      ['Old', 'New'],
    )
    assert.equal((await at.nobody.get('/channel_folders')).status, 401)
  })
})

everyHost('update-channel-folder', (at) => {
  const update = (client: Client, id: number, params: Record<string, unknown>) =>
    client.patch(`/channel_folders/${id}`, params)

  it('sends an event for each change to all active users', async () => {
    const { adam, gus } = at.people
    const id = await createdId(adam, 'Before')
    const feed = await gus.listen(feedOptions)

    const answer = await update(adam, id, {
      name: 'before',
      description: '**New**',
      is_archived: true,
    })
    const again = await update(adam, id, { name: 'before', is_archived: true })
    await update(adam, id, { is_archived: false })

    assert.deepEqual([answer.body, again.body], [bareSuccess, bareSuccess])
    const described = {
      description: '**New**',
      rendered_description: '<p><strong>New</strong></p>',
    }
    const changes = [{ name: 'before' }, described, { is_archived: true }, { is_archived: false }]
    assert.deepEqual(
      withoutIds(await feed.drain()),
      changes.map((data) => ({
        type: 'channel_folder',
        op: 'update',
        channel_folder_id: id,
        data,
      })),
    )
  })

  it('does not archive a folder that contains channels', async () => {
    const { adam, alice } = at.people
    const id = await createdId(adam, 'Busy')
    await adam.patch(`/streams/${at.channels.design}`, { folder_id: id })

    assertRefused(
      await update(adam, id, { is_archived: true }),
      'You need to remove all the channels from this folder to archive it.',
    )

    await adam.patch(`/streams/${at.channels.design}`, { folder_id: null })
    assert.deepEqual((await update(adam, id, { is_archived: true })).body, bareSuccess)
    assert.equal((await namesOf(alice)).includes('Busy'), false)
  })

  it('refuses invalid names, unknown folders and users who are not administrators', async () => {
    const { adam } = at.people
    const other = await at.host.organization()
    const foreign = await createdId(other.people.adam, 'Theirs')
    await createdId(adam, 'Other')
    const id = await createdId(adam, 'Mine')

    assertRefused(await update(adam, id, { name: 'OTHER' }), 'Channel folder name already in use')
    assertRefused(await update(adam, id, { name: ' ' }), "Channel folder name can't be empty.")
    assertRefused(
      await update(adam, id, { name: 'n'.repeat(61) }),
      'name is too long (limit: 60 characters)',
    )
    for (const folderId of [foreign, at.unknownId]) {
      assertRefused(await update(adam, folderId, { name: 'X' }), unknown)
    }
    for (const name of notAdministrators) {
      assertRefused(await update(at.people[name], id, {}), ...refusedRole)
    }
  })
})

everyHost('patch-channel-folders', (at) => {
  it('sets the order of the folders, and sends an event to all active users', async () => {
    const { adam, gus } = at.people
    const ids: number[] = []
    for (const name of ['A', 'B', 'C']) ids.push(await createdId(adam, name))
    await adam.patch(`/channel_folders/${ids[1]}`, { is_archived: true })
    const feed = await gus.listen(feedOptions)
    const order = [...ids].reverse()

    const answer = await adam.patch('/channel_folders', { order })

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'channel_folder', op: 'reorder', order },
    ])
    const { body } = await gus.get('/channel_folders', { include_archived: true })
    assert.deepEqual(
      body.channel_folders.map((folder) => [folder.id, folder.order]),
      order.map((id, index) => [id, index]),
    )
  })

  it('refuses an order that does not list every folder once', async () => {
    const { adam, alice } = at.people
    const { body } = await adam.get('/channel_folders', { include_archived: true })
    const ids: number[] = body.channel_folders.map((folder) => folder.id)
    const reorder = (client: Client, order: unknown) => client.patch('/channel_folders', { order })

    for (const order of [ids.slice(1), [...ids, at.unknownId], [...ids.slice(1), ids[1]]]) {
      assertRefused(await reorder(adam, order), 'Invalid order mapping')
    }
    assertRefused(await reorder(alice, ids), ...refusedRole)
  })
})

everyHost('update-stream', (at) => {
  it('moves a channel to a folder, and sends events to users with access to the channel', async () => {
    const { adam, alice, carol, gus } = at.people
    const id = await createdId(adam, 'Design')
    const types = { event_types: ['stream'] }
    const [feed, guestFeed] = [await carol.listen(types), await gus.listen(types)]

    const answer = await adam.patch(`/streams/${at.channels.design}`, { folder_id: id })
    await adam.patch(`/streams/${at.channels.design}`, { folder_id: id })
    const seen = await alice.get(`/streams/${at.channels.design}`)
    await adam.patch(`/streams/${at.channels.design}`, { folder_id: null })

    assert.deepEqual(answer.body, bareSuccess)
    assert.equal(seen.body.stream.folder_id, id)
    const event = { type: 'stream', op: 'update', stream_id: at.channels.design, name: 'design' }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { ...event, property: 'folder_id', value: id },
      { ...event, property: 'folder_id', value: null },
    ])
    assert.deepEqual(await guestFeed.drain(), [])
  })

  it("returns the same error for another organization's folder and for an unknown one", async () => {
    const { adam } = at.people
    const other = await at.host.organization()
    const foreign = await createdId(other.people.adam, 'Theirs')

    for (const folder_id of [foreign, at.unknownId]) {
      assertRefused(await adam.patch(`/streams/${at.channels.design}`, { folder_id }), unknown)
    }
  })
})

everyHost('create-channel', (at) => {
  it('creates channels in a folder, directly and by subscribing', async () => {
    const { adam, alice } = at.people
    const folder_id = await createdId(adam, 'New channels')

    const made = await alice.post('/channels/create', { name: 'one', subscribers: [], folder_id })
    await alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'two' }], folder_id })

    const { body } = await alice.get('/streams')
    const inFolder = body.streams.filter((one) => one.folder_id === folder_id)
    assert.equal(made.status, 200)
    assert.deepEqual(inFolder.map((channel) => channel.name).sort(), ['one', 'two'])
    const refused = { name: 'three', subscribers: [], folder_id: at.unknownId }
    assertRefused(await alice.post('/channels/create', refused), unknown)
  })
})
