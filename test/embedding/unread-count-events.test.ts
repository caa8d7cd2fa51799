import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { ChatEvents, EventContext } from '@parley/core'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'

type UnreadEvent = ChatEvents['unread_counts']

everyDatabase('the event unread_counts', 'express', (at) => {
  const here = () => ({ organization: at.subdomain })
  const as = (externalId: string) => at.host.chat.as({ externalId, ...here() }).api
  const idOf = (externalId: string) => at.host.chat.as({ externalId, ...here() }).id()
  const ensure = async (externalId: string, users: readonly string[]): Promise<number> => {
    const { id } = await at.host.chat.channels.ensure({
      ...here(),
      externalId,
      name: `About ${externalId}`,
      subscribers: users.map((userId) => ({ externalId: userId })),
    })
    return id
  }
  const send = (to: number, content = 'Hello', topic = 'news') =>
    as('ben').sendMessage({ type: 'channel', to, topic, content })

  const listened: UnreadEvent[] = []
  const consumed: { readonly event: UnreadEvent; readonly context: EventContext }[] = []
  /** The marks behind events that have arrived. */
  const ends = new Set<string>()
  let order = 0
  let other = 0
  let ada = 0
  before(async () => {
    const people = ['ada', 'ben'].map((externalId) => ({
      externalId,
      email: `${externalId}@product.example`,
      fullName: externalId,
    }))
    await at.host.chat.users.sync(people, here())
    ada = await idOf('ada')
    order = await ensure('order-1', ['ada', 'ben'])
    other = await ensure('order-2', ['ada', 'ben'])
    // The first message in a topic lets its sender follow the topic.
    for (const to of [order, other]) await send(to)
    const { chat } = at.host
    const organizationId = (await chat.organizations.find(at.subdomain))?.id
    const consumer = chat.consume(
      `unread ${at.subdomain}`,
      { types: ['unread_counts', 'user_status'], transaction: false },
      (event, context) => {
        if (event.organizationId !== organizationId) return
        if (event.type === 'unread_counts') consumed.push({ event, context })
        else ends.add(`consumed ${event.status_text}`)
      },
    )
    await consumer.ready()
    chat.on('unread_counts', (event) => {
      if (event.organizationId === organizationId) listened.push(event)
    })
    chat.on('user_status', ({ status_text }) => void ends.add(`listened ${status_text}`))
  })

  /** Waits for the events of earlier changes: events come in the order of the changes. */
  async function settle(): Promise<void> {
    const end = `${at.subdomain} ${ends.size}`
    await at.people.olga.post('/users/me/status', { status_text: end })
    await until('the events', () => ends.has(`listened ${end}`) && ends.has(`consumed ${end}`))
  }

  /** The channels and users that the events of the changes name, once and sorted. */
  async function namedBy(change: () => Promise<unknown>): Promise<readonly string[]> {
    await settle()
    listened.length = 0
    consumed.length = 0
    await change()
    await settle()
    assert.deepEqual(
      consumed.map(({ event }) => event),
      listened,
    )
    const names = listened.flatMap(({ channels, userIds, externalIds }) => [
      ...channels.map(({ id, externalId }) => externalId ?? `channel ${id}`),
      ...userIds.map((id) => externalIds[id] ?? `user ${id}`),
    ])
    return [...new Set(names)].sort()
  }

  it('names the channel of a message, and the people of a direct message', async () => {
    assert.deepEqual(await namedBy(() => send(order)), ['order-1'])
    const direct = () =>
      as('ben').sendMessage({ type: 'direct', to: [ada, at.people.alice.id], content: 'Hi' })
    assert.deepEqual(await namedBy(direct), ['ada', 'ben', `user ${at.people.alice.id}`])
  })

  it('names the channels of what is edited, moved and deleted', async () => {
    const { id } = await send(order)
    const edit = () => as('ben').updateMessage({ message_id: id, content: 'Hello @**ada**' })
    assert.deepEqual(await namedBy(edit), ['order-1'])
    const move = () => at.people.olga.patch(`/messages/${id}`, { stream_id: other })
    assert.deepEqual(await namedBy(move), ['order-1', 'order-2'])
    const remove = () => at.people.olga.delete(`/messages/${id}`)
    assert.deepEqual(await namedBy(remove), ['order-1', 'order-2'])
  })

  it('names the people of a direct message that is edited or deleted', async () => {
    const { id } = await as('ben').sendMessage({ type: 'direct', to: [ada], content: 'Hi' })
    const edit = () => as('ben').updateMessage({ message_id: id, content: 'Hi, Ada' })
    assert.deepEqual(await namedBy(edit), ['ada', 'ben'])
    const remove = () => as('ben').deleteMessage({ message_id: id })
    assert.deepEqual(await namedBy(remove), ['ada', 'ben'])
  })

  it('names who reads messages, marks them as unread, and mutes', async () => {
    const { id } = await send(order, 'read me')
    const flags = { messages: [id], flag: 'read' }
    const read = () => as('ada').updateMessageFlags({ ...flags, op: 'add' })
    assert.deepEqual(await namedBy(read), ['ada'])
    const forget = () => as('ada').updateMessageFlags({ ...flags, op: 'remove' })
    assert.deepEqual(await namedBy(forget), ['ada'])
    const star = () => as('ada').updateMessageFlags({ messages: [id], flag: 'starred', op: 'add' })
    assert.deepEqual(await namedBy(star), [])
    const muteTopic = () =>
      as('ada').updateUserTopic({ stream_id: order, topic: 'news', visibility_policy: 1 })
    assert.deepEqual(await namedBy(muteTopic), ['ada'])
    const setting = (property: 'is_muted' | 'pin_to_top') => () =>
      as('ada').updateSubscriptionSettings({
        subscription_data: [{ stream_id: order, property, value: true }],
      })
    assert.deepEqual(await namedBy(setting('is_muted')), ['ada'])
    assert.deepEqual(await namedBy(setting('pin_to_top')), [])
  })

  it('names who is subscribed, unsubscribed, changes the role, goes and comes back', async () => {
    const { chat } = at.host
    await send(order)
    assert.deepEqual(await namedBy(() => ensure('order-1', ['ben'])), ['ada'])
    assert.deepEqual(await namedBy(() => ensure('order-1', ['ada', 'ben'])), ['ada'])
    const close = () => at.people.olga.patch(`/streams/${other}`, { is_private: true })
    assert.deepEqual(await namedBy(close), ['order-2'])
    const become = (role: number) => () => at.people.olga.patch(`/users/${ada}`, { role })
    assert.deepEqual(await namedBy(become(600)), ['ada'])
    assert.deepEqual(await namedBy(become(400)), ['ada'])
    assert.deepEqual(await namedBy(() => chat.users.deactivate('ada', here())), ['ada'])
    assert.deepEqual(await namedBy(() => chat.users.reactivate('ada', here())), ['ada'])
    const cleo = { externalId: 'cleo', email: 'cleo@product.example', fullName: 'Cleo' }
    assert.ok((await namedBy(() => chat.users.sync([cleo], here()))).includes('cleo'))
  })

  it('names where a message was that is deleted before the consumer reads of its move', async () => {
    const { chat } = at.host
    const open = await ensure('order-3', ['ben'])
    const { id } = await send(order, 'to be moved')
    await settle()
    const name = `later ${at.subdomain}`
    const channels = new Set<string | null>()
    const consume = () =>
      chat.consume(name, { types: ['unread_counts'], transaction: false }, (event) => {
        for (const { externalId } of event.channels) channels.add(externalId)
      })
    const early = consume()
    await early.ready()
    await early.stop()
    const moved = await at.people.olga.patch(`/messages/${id}`, {
      stream_id: open,
      send_notification_to_old_thread: false,
    })
    assert.equal(moved.status, 200, moved.text)
    await at.people.olga.delete(`/messages/${id}`)

    const late = consume()
    await until('both channels', () => channels.has('order-1') && channels.has('order-3'))
    await late.stop()
  })

  it('is only for those who name it, with an id of its own', async () => {
    const { chat } = at.host
    const names: string[] = []
    const end = chat.on('*', ({ type }) => void names.push(type))
    const all: string[] = []
    const consumer = chat.consume(`all ${at.subdomain}`, { transaction: false }, (event) => {
      all.push(event.type)
    })
    const both: EventContext[] = []
    const types = ['message', 'unread_counts'] as const
    const ofBoth = chat.consume(
      `both ${at.subdomain}`,
      { types, transaction: false },
      (_, context) => void both.push(context),
    )
    await Promise.all([consumer.ready(), ofBoth.ready()])

    const [channel] = await namedBy(() => send(order))
    await until('the message', () => all.includes('message') && both.length === 2)
    end()
    await Promise.all([consumer.stop(), ofBoth.stop()])

    assert.equal(channel, 'order-1')
    assert.equal([...names, ...all].includes('unread_counts'), false)
    const [message, unread] = both
    assert.deepEqual([message?.name, unread?.name], ['message', 'unread_counts'])
    assert.equal(message?.seq, unread?.seq)
    assert.equal(new Set(both.map(({ id }) => id)).size, both.length)
    assert.equal(unread?.id, consumed[0]?.context.id)
  })
})
