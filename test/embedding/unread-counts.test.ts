import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import type { UnreadOptions } from '@parley/core'

import { databaseColumns } from '../support/databases.js'
import { everyDatabase } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { startProduct } from './recipes/unread-counts.js'

const person = (externalId: string, fullName = `User ${externalId}`) => ({
  externalId,
  email: `${externalId}@product.example`,
  fullName,
})

everyDatabase('chat.users.unread', 'express', (at) => {
  const here = () => ({ organization: at.subdomain })
  const unread = (id: string, options: UnreadOptions = {}) =>
    at.host.chat.users.unread(id, { ...here(), ...options })
  const as = (externalId: string) => at.host.chat.as({ externalId, ...here() }).api
  const idOf = async (externalId: string): Promise<number> =>
    at.host.chat.as({ externalId, ...here() }).id()
  const order = async (externalId: string, userIds: readonly string[]): Promise<number> => {
    const { id } = await at.host.chat.channels.ensure({
      ...here(),
      externalId,
      name: `About ${externalId}`,
      subscribers: userIds.map((userId) => ({ externalId: userId })),
    })
    return id
  }
  const send = (from: string, to: number, content: string, topic = 'news') =>
    as(from).sendMessage({ type: 'channel', to, topic, content, read_by_sender: true })
  const readAll = (externalId: string) =>
    as(externalId).updateMessageFlagsForNarrow({
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
      narrow: [],
      op: 'add',
      flag: 'read',
    })

  before(async () => {
    const people = [person('ada', 'Ada Byron'), person('ben', 'Ben Hall'), person('cleo')]
    await at.host.chat.users.sync(people, here())
    for (const { externalId } of people) await readAll(externalId)
  })

  it('counts messages in channels, direct messages and mentions, with the last of each', async () => {
    const [ada, ben] = [await idOf('ada'), await idOf('ben')]
    const id = await order('order-1', ['ada', 'ben'])
    await readAll('ada')
    await send('ben', id, 'First')
    await send('ben', id, `**Second** for @**Ada Byron**`, 'money')
    await as('ben').sendMessage({ type: 'direct', to: [ada], content: '1 < 2' })
    const { id: lastId } = await as('ben').sendMessage({
      type: 'direct',
      to: [ada],
      content: '*Bye*',
    })

    const { channels, directMessages, ...totals } = (await unread('ada'))!

    assert.deepEqual(totals, { total: 4, mentions: 1 })
    const sender = { id: ben, externalId: 'ben', fullName: 'Ben Hall' }
    const sentAtSeconds = at.clock.seconds
    const [channel, ...others] = channels
    assert.deepEqual(others, [])
    assert.deepEqual(channel, {
      id,
      externalId: 'order-1',
      name: 'About order-1',
      count: 2,
      mutedCount: 0,
      mentions: 1,
      lastMessage: {
        id: channel?.lastMessage?.id,
        text: 'Second for @Ada Byron',
        sender,
        sentAtSeconds,
        topic: 'money',
      },
    })
    const lastMessage = { id: lastId, text: 'Bye', sender, sentAtSeconds }
    assert.deepEqual(directMessages, {
      count: 2,
      conversations: [{ users: [sender], userCount: 2, count: 2, mentions: 0, lastMessage }],
    })
    await readAll('ada')
    assert.deepEqual(await unread('ada'), {
      total: 0,
      mentions: 0,
      channels: [],
      directMessages: { count: 0, conversations: [] },
    })
  })

  it('leaves muted channels and topics out of the total', async () => {
    const loud = await order('loud', ['ada', 'ben'])
    const mixed = await order('mixed', ['ada', 'ben'])
    await readAll('ada')
    for (const to of [loud, mixed]) {
      await send('ben', to, 'One', 'a')
      await send('ben', to, 'Two', 'b')
    }
    const mute = { property: 'is_muted' as const, value: true }
    await as('ada').updateSubscriptionSettings({
      subscription_data: [{ stream_id: loud, ...mute }],
    })
    await as('ada').updateUserTopic({ stream_id: mixed, topic: 'b', visibility_policy: 1 })

    const found = (await unread('ada'))!

    assert.equal(found.total, 1)
    assert.deepEqual(
      found.channels.map(({ externalId, count, mutedCount, lastMessage }) => [
        externalId,
        count,
        mutedCount,
        lastMessage?.text,
      ]),
      [
        ['mixed', 1, 1, 'One'],
        ['loud', 0, 2, 'Two'],
      ],
    )
    await readAll('ada')
  })

  it('answers for many users at once, without those who have no active account', async () => {
    const id = await order('many', ['ada', 'ben', 'cleo'])
    for (const externalId of ['ada', 'ben', 'cleo']) await readAll(externalId)
    await send('ada', id, 'Hello')
    await at.host.chat.users.deactivate('cleo', here())

    const found = await at.host.chat.users.unread(['ben', 'cleo', 'none', 'ada'], here())

    const totals = [...found].map(([externalId, { total }]) => [externalId, total])
    assert.deepEqual(totals.sort(), [
      ['ada', 0],
      ['ben', 1],
    ])
    assert.equal(await unread('cleo'), undefined)
    assert.equal(await unread('none'), undefined)
    await at.host.chat.users.reactivate('cleo', here())
    assert.equal((await unread('cleo'))?.total, 1)
    for (const externalId of ['ben', 'cleo']) await readAll(externalId)
  })

  it('counts only the channels that are asked for', async () => {
    const ids = [await order('some-1', ['ada', 'ben']), await order('some-2', ['ada', 'ben'])]
    await readAll('ada')
    for (const id of ids) await send('ben', id, '@**Ada Byron**')
    await as('ben').sendMessage({ type: 'direct', to: [await idOf('ada')], content: 'Hello' })

    const found = (await unread('ada', { channels: ['some-2', 'none'] }))!

    assert.deepEqual([found.total, found.mentions], [1, 1])
    assert.deepEqual(
      found.channels.map(({ externalId }) => externalId),
      ['some-2'],
    )
    assert.deepEqual(found.directMessages, { count: 0, conversations: [] })
    assert.equal((await unread('ada', { channels: [] }))?.total, 0)
    assert.equal((await unread('ada'))?.total, 3)
    await readAll('ada')
  })

  it('shortens texts, and lists of people and channels, but not the numbers', async () => {
    const others = Array.from({ length: 24 }, (_, index) => person(`other-${index}`))
    await at.host.chat.users.sync(others, here())
    const channelIds: number[] = []
    for (let index = 0; index < 101; index += 1) {
      channelIds.push(await order(`listed-${index}`, ['ada', 'ben']))
    }
    await readAll('ada')
    const to = await Promise.all(['ada', ...others.map((one) => one.externalId)].map(idOf))
    await as('ben').sendMessage({ type: 'direct', to, content: `${'[x](/y) '.repeat(900)}end` })
    for (const id of channelIds) await send('ben', id, 'ü'.repeat(300))

    const { total, channels, directMessages } = (await unread('ada'))!

    assert.equal(total, 102)
    assert.equal(channels.length, 100)
    assert.equal(channels[0]?.externalId, 'listed-100')
    assert.equal(channels[0]?.lastMessage?.text, `${'ü'.repeat(200)}…`)
    const [conversation] = directMessages.conversations
    assert.equal(conversation?.users.length, 20)
    assert.equal(conversation.userCount, 26)
    assert.match(conversation.lastMessage?.text ?? '', /^(?:x )+x?…$/)
    await readAll('ada')
  })

  it('shows nothing of a private channel that the user has never subscribed to', async () => {
    const open = await order('open', ['ada', 'ben'])
    const closing = await order('closing', ['ben'])
    await readAll('ada')
    const { id } = await send('ben', open, 'secret later')
    await as('ben').sendMessage({ type: 'channel', to: open, topic: 'news', content: 'stays' })
    const { olga } = at.people
    assert.equal((await olga.patch(`/messages/${id}`, { stream_id: closing })).status, 200)
    assert.equal((await olga.patch(`/streams/${closing}`, { is_private: true })).status, 200)

    const { channels } = (await unread('ada'))!

    assert.deepEqual(
      channels.map(({ externalId }) => externalId),
      ['open'],
    )
    assert.doesNotMatch(JSON.stringify(channels), /secret later/)
    await readAll('ada')
  })

  it('needs the same few statements for fifty users with fifty channels', async () => {
    const people = Array.from({ length: 50 }, (_, index) => person(`reader-${index}`))
    await at.host.chat.users.sync(people, here())
    const readers = people.map(({ externalId }) => externalId)
    const orders = Array.from({ length: 50 }, (_, index) => `page-${index}`)
    for (const externalId of orders) {
      await send('ben', await order(externalId, ['ben', ...readers]), 'Hello')
    }
    const call = (userCount: number, channelCount: number) => {
      const options = { ...here(), channels: orders.slice(0, channelCount) }
      return at.host.chat.users.unread(readers.slice(0, userCount), options)
    }
    await call(1, 1)

    const all = await call(50, 50)
    const ofOne = await statementsOf(at.host, () => call(1, 1))
    const ofAll = await statementsOf(at.host, () => call(50, 50))

    assert.deepEqual(
      [...all.values()].map(({ total }) => total),
      Array(50).fill(50),
    )
    assert.equal(ofOne.length, 4)
    assert.equal(ofAll.length, ofOne.length)
  })

  it('refuses lists that are too long, wrong ids and unknown options', async () => {
    const { users } = at.host.chat
    const ids = Array.from({ length: 101 }, (_, index) => `${index}`)

    await assert.rejects(users.unread(ids, here()), {
      name: 'TypeError',
      message: 'chat.users.unread: ids of users must be a list of at most 100',
    })
    await assert.rejects(unread('ada', { channels: ids }), {
      name: 'TypeError',
      message: 'chat.users.unread: channels must be a list of at most 100',
    })
    await assert.rejects(unread(''), TypeError)
    await assert.rejects(unread('ada', { channels: [''] }), TypeError)
    await assert.rejects(unread('ada', { channel: 'order-1' } as UnreadOptions), {
      name: 'TypeError',
      message: 'chat.users.unread: there is no option channel, only organization, channels',
    })
    await assert.rejects(users.unread('ada', { organization: 'none' }), { code: 'BAD_REQUEST' })
  })
})

const column = databaseColumns()[0]
assert.ok(column !== undefined)
const database = await column.create()
after(() => database.drop())

describe('the program of docs/unread-counts.md', () => {
  it('shows the new comments about each order', async () => {
    const { chat, server } = await startProduct({ database: database.config }, 0)
    try {
      const users = [
        { id: 1, external_id: '7', email: 'ada@product.example', full_name: 'Ada', role: 100 },
        { id: 2, external_id: '9', email: 'ben@product.example', full_name: 'Ben Hall', role: 400 },
      ]
      await chat.organizations.load({ organization: { name: 'Orders' }, users })
      const subscribers = [{ externalId: 7 }, { externalId: 9 }]
      const { id: to } = await chat.channels.ensure({
        externalId: 'order-1',
        name: 'Order 1',
        subscribers,
      })
      for (const content of ['One', 'Two']) {
        await chat
          .as({ externalId: 9 })
          .api.sendMessage({ type: 'channel', to, topic: 'tea', content })
      }

      const { port } = server.address() as AddressInfo
      const page = await fetch(`http://127.0.0.1:${port}/?user=7&order=order-1&order=order-2`)

      assert.equal(
        await page.text(),
        'order-1: 2 new comments, the last one by Ben Hall\norder-2: 0 new comments',
      )
    } finally {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      await chat.close()
    }
  })
})
