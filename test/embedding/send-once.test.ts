import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import type { RepeatableCallOptions } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { everyDatabase } from '../support/host.js'

const daySeconds = 86_400

everyDatabase('messages that the application sends with a key', 'koa', (at) => {
  let knex: Knex
  before(() => {
    knex = createKnex({ ...at.host.databaseConfig, useNullAsDefault: true })
  })
  after(() => knex.destroy())

  const send = async (content: string, options: RepeatableCallOptions, chat = at.host.chat) => {
    const { api } = chat.as({ userId: at.people.alice.id, organization: at.subdomain })
    const place = { type: 'channel', to: at.channels.design, topic: 'once' } as const
    return (await api.sendMessage({ ...place, content }, options)).id
  }
  const countOf = async (content: string): Promise<number> =>
    (await knex('chat_messages').where({ content })).length

  it('are stored once, and every call returns the first id', async () => {
    const id = await send('One', { idempotencyKey: 'one' })

    assert.equal(await send('One', { idempotencyKey: 'one' }), id)
    assert.notEqual(await send('One', { idempotencyKey: 'other' }), id)
    const bob = at.host.chat.as({ userId: at.people.bob.id, organization: at.subdomain }).api
    const place = { type: 'channel', to: at.channels.design, topic: 'once' } as const
    const ofBob = await bob.sendMessage({ ...place, content: 'One' }, { idempotencyKey: 'one' })
    assert.notEqual(ofBob.id, id)
    assert.equal(await countOf('One'), 3)
  })

  it('are stored once by two processes at once, and after a restart', async () => {
    const other = await at.host.another('express')
    try {
      const chats = Array.from({ length: 10 }, (_, index) => (index % 2 ? other : at.host).chat)
      const key = { idempotencyKey: 'at once' }

      const ids = await Promise.all(chats.map((chat) => send('At once', key, chat)))

      assert.equal(new Set(ids).size, 1)
      assert.equal(await countOf('At once'), 1)
      await other.stop()
      const restarted = await at.host.another('express')
      try {
        assert.equal(await send('At once', key, restarted.chat), ids[0])
      } finally {
        await restarted.stop()
      }
    } finally {
      await other.stop()
    }
  })

  it('are refused if the key belongs to other parameters', async () => {
    await send('Two', { idempotencyKey: 'two' })

    await assert.rejects(send('Changed', { idempotencyKey: 'two' }), {
      code: 'BAD_REQUEST',
      message: 'The idempotency key was used with other parameters',
    })
    assert.equal(await countOf('Changed'), 0)
  })

  it('are refused too if calls with other parameters come at the same time', async () => {
    const contents = Array.from({ length: 6 }, (_, index) => `At the same time ${index % 2}`)

    const results = await Promise.allSettled(
      contents.map((content) => send(content, { idempotencyKey: 'at the same time' })),
    )

    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result] : []))
    assert.deepEqual(
      refused.map(({ reason }) => reason.code),
      Array(3).fill('BAD_REQUEST'),
    )
    const counts = await Promise.all(contents.slice(0, 2).map(countOf))
    assert.deepEqual(counts.toSorted(), [0, 1])
  })

  it('return the first id although they would be refused by now', async () => {
    const options = { idempotencyKey: 'refused' }
    const system = at.host.chat.asSystem({ organization: at.subdomain }).api
    const place = { type: 'channel', to: at.channels.attic, topic: 'once' } as const
    const open = { type: 'channel', to: at.channels.window, topic: 'once' } as const
    await assert.rejects(system.sendMessage({ ...place, content: 'Refused' }, options))
    const { id } = await system.sendMessage({ ...open, content: 'Refused' }, options)
    const archived = await at.people.olga.delete(`/streams/${at.channels.window}`)
    assert.equal(archived.status, 200)

    assert.equal((await system.sendMessage({ ...open, content: 'Refused' }, options)).id, id)
  })

  it('belong to the transaction of the application', async () => {
    const options = { idempotencyKey: 'joined' }
    await assert.rejects(
      knex.transaction(async (within) => {
        const id = await send('Joined', { ...options, within })
        assert.equal(await send('Joined', { ...options, within }), id)
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    assert.equal(await countOf('Joined'), 0)

    const id = await knex.transaction((within) => send('Joined', { ...options, within }))

    assert.equal(await send('Joined', options), id)
    assert.equal(await countOf('Joined'), 1)
  })

  it('are sent again after a day', async () => {
    const id = await send('Later', { idempotencyKey: 'later' })
    at.clock.jump(daySeconds)
    assert.equal(await send('Later', { idempotencyKey: 'later' }), id)

    at.clock.jump(1)

    assert.notEqual(await send('Later', { idempotencyKey: 'later' }), id)
    assert.equal(await countOf('Later'), 2)
  })

  it('need a proper key, which other operations do not take', async () => {
    const { api } = at.host.chat.as({ userId: at.people.alice.id, organization: at.subdomain })
    const wrong = { name: 'TypeError', message: /^sendMessage: idempotencyKey must be a string/ }

    await assert.rejects(send('Wrong', { idempotencyKey: '' }), wrong)
    await assert.rejects(send('Wrong', { idempotencyKey: 'x'.repeat(256) }), wrong)
    // @ts-expect-error -- it is not an option of this operation
    await assert.rejects(api.getOwnUser({}, { idempotencyKey: 'x' }), {
      name: 'TypeError',
      message: 'getOwnUser: there is no option idempotencyKey, only within',
    })
    assert.equal(await countOf('Wrong'), 0)
  })
})
