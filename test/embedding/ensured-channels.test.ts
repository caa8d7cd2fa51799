import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import type { EnsuredChannel } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { EventFeed } from '../support/event-feed.js'
import { everyDatabase } from '../support/host.js'

everyDatabase('chat.channels', 'koa', (at) => {
  let knex: Knex
  before(() => {
    knex = createKnex({ ...at.host.databaseConfig, useNullAsDefault: true })
  })
  after(() => knex.destroy())

  const here = () => ({ organization: at.subdomain })
  const ensure = (channel: EnsuredChannel) =>
    at.host.chat.channels.ensure({ ...here(), ...channel })
  const find = (externalId: string | number) => at.host.chat.channels.find(externalId, here())
  const subscribersOf = async (id: number): Promise<number[]> => {
    const { api } = at.host.chat.asSystem(here())
    const { subscribers } = await api.getSubscribers({ stream_id: id })
    return [...subscribers].sort((a, b) => a - b)
  }

  it('ensure creates a channel once, and finds it again whatever it is called', async () => {
    const { alice, bob } = at.people
    const project = {
      externalId: 'project:42',
      name: 'Project 42',
      description: 'All about **tea**',
      isPrivate: true,
      subscribers: [{ userId: alice.id }, { userId: bob.id }],
    }

    const { id, created } = await ensure(project)
    assert.equal(created, true)
    assert.deepEqual(await find('project:42'), {
      id,
      externalId: 'project:42',
      name: 'Project 42',
      description: 'All about **tea**',
      isPrivate: true,
      isArchived: false,
    })
    assert.deepEqual(await subscribersOf(id), [alice.id, bob.id])

    await at.people.olga.patch(`/streams/${id}`, { new_name: 'Renamed' })
    const feed = await EventFeed.register(alice, { event_types: ['stream', 'subscription'] })
    assert.deepEqual(await ensure({ externalId: 'project:42', name: 'Renamed' }), {
      id,
      created: false,
    })
    assert.deepEqual(await feed.drain(), [])
    await ensure(project)
    const [event, ...others] = await feed.drain()
    assert.deepEqual([event?.op, event?.property, event?.value], ['update', 'name', 'Project 42'])
    assert.deepEqual(others, [])
  })

  it('ensure changes what differs, and leaves alone what is not given', async () => {
    const { id } = await ensure({
      externalId: 1,
      name: 'One',
      description: 'kept',
      isDefault: true,
    })

    await ensure({
      externalId: '1',
      name: 'One',
      isDefault: false,
      isPrivate: true,
      isHistoryShared: true,
    })

    const { stream } = (await at.people.olga.get(`/streams/${id}`)).body
    assert.equal(stream.description, 'kept')
    assert.deepEqual(
      [
        stream.invite_only,
        stream.history_public_to_subscribers,
        (stream as { is_default?: boolean }).is_default ?? false,
      ],
      [true, true, false],
    )
    await ensure({ externalId: 1, name: 'One', description: '', isPrivate: false })
    const changed = (await at.people.olga.get(`/streams/${id}`)).body.stream
    assert.deepEqual([changed.description, changed.invite_only], ['', false])
  })

  it('ensure makes the set of subscribers so, by both kinds of id', async () => {
    const { alice, bob, carol, dora } = at.people
    await at.host.chat.users.sync(
      [{ externalId: 'ann', email: 'ann@product.example', fullName: 'Ann' }],
      here(),
    )
    const ann = (await at.host.chat.users.find('ann', here()))?.id ?? 0
    const team = (...subscribers: NonNullable<EnsuredChannel['subscribers']>) =>
      ensure({ externalId: 'team', name: 'Team', subscribers })
    const { id } = await team({ userId: alice.id }, { userId: bob.id }, { userId: dora.id })
    const feed = await EventFeed.register(carol, { event_types: ['subscription'] })

    await team({ userId: bob.id }, { userId: carol.id }, { externalId: 'ann' })

    assert.deepEqual(await subscribersOf(id), [bob.id, carol.id, ann])
    assert.ok((await feed.drain()).some(({ op }) => op === 'add'))
    await assert.rejects(team({ externalId: 'nobody' }), { code: 'BAD_REQUEST' })
    await ensure({ externalId: 'team', name: 'Team' })
    assert.equal((await subscribersOf(id)).length, 3)
    await team()
    assert.deepEqual(await subscribersOf(id), [])
  })

  it('ensure leaves an archived channel alone until it is to return', async () => {
    const { id } = await ensure({ externalId: 'old', name: 'Old' })
    await at.people.olga.delete(`/streams/${id}`)

    await ensure({ externalId: 'old', name: 'Old again' })
    assert.deepEqual((await find('old'))?.isArchived, true)
    assert.equal((await find('old'))?.name, 'Old')
    await ensure({ externalId: 'old', name: 'Old again', isArchived: false })
    assert.equal((await find('old'))?.isArchived, false)
    assert.equal((await find('old'))?.name, 'Old again')
  })

  it('ensure is part of the transaction of the application', async () => {
    const channel = { externalId: 'order', name: 'Order', ...here() }
    const fails = knex.transaction(async (trx) => {
      await at.host.chat.channels.ensure(channel, { within: trx })
      throw new Error('no order')
    })
    await assert.rejects(fails, /no order/)
    assert.equal(await find('order'), undefined)

    const id = await knex.transaction(async (trx) => {
      const first = await at.host.chat.channels.ensure(channel, { within: trx })
      const second = await at.host.chat.channels.ensure(channel, { within: trx })
      assert.deepEqual(second, { id: first.id, created: false })
      return first.id
    })
    assert.equal((await find('order'))?.id, id)
  })

  it('ensure creates one channel if it is called at the same time', async () => {
    const calls = [1, 2, 3].map(() => ensure({ externalId: 'race', name: 'Race' }))
    const results = await Promise.all(calls)
    assert.equal(new Set(results.map(({ id }) => id)).size, 1)
    assert.equal(results.filter(({ created }) => created).length, 1)
  })

  it('ensure tells of a new channel only if it is to be announced', async () => {
    const { alice, olga } = at.people
    const { channels } = at
    const announcements = { new_stream_announcements_stream_id: channels.general }
    await olga.patch('/realm', announcements)
    const heard = async (channel: EnsuredChannel): Promise<string[]> => {
      const feed = await EventFeed.register(alice, { event_types: ['message'] })
      await ensure({ ...channel, subscribers: [{ userId: alice.id }] })
      const messages = (await feed.drain()).map((event) => event['message'])
      return messages.map(({ display_recipient, subject }) => `${display_recipient}: ${subject}`)
    }

    const silent = await heard({ externalId: 'silent', name: 'Silent' })
    const loud = await heard({ externalId: 'loud', name: 'Loud', announce: true })
    const again = await heard({ externalId: 'loud', name: 'Loud', announce: true })

    assert.deepEqual(silent, [])
    assert.deepEqual(loud.toSorted(), ['Loud: channel events', 'general: new channels'])
    assert.deepEqual(again, [])
  })

  it('ensure refuses a name of another channel, and values that are invalid', async () => {
    await assert.rejects(ensure({ externalId: 'new', name: 'general' }), {
      code: 'CHANNEL_ALREADY_EXISTS',
    })
    assert.equal(await find('new'), undefined)
    await assert.rejects(ensure({ externalId: 'new', name: ' ' }), { code: 'BAD_REQUEST' })
    const wrong: EnsuredChannel = JSON.parse('{"externalId":"new","name":"New","isPrivate":"yes"}')
    await assert.rejects(ensure(wrong), { name: 'TypeError', message: /isPrivate/ })
    await assert.rejects(ensure({ externalId: '', name: 'New' }), TypeError)
  })
})
