import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Api } from '@parley/core'

import { everyDatabase } from '../support/host.js'

/** What stands below an `@ts-expect-error` is refused by the compiler, and by the server too. */
everyDatabase('what the types of calls in the process refuse', 'koa', (at) => {
  const api = () => at.host.chat.as({ userId: at.people.alice.id, organization: at.subdomain }).api
  const newest = { anchor: 'newest', num_before: 5, num_after: 0 }
  const unknownParameter = (name: string) => ({
    name: 'TypeError',
    message: new RegExp(`: there is no parameter ${name}$`),
  })

  it('are operators and operands of narrows that there are not', async () => {
    const own = api()
    const badNarrow = { code: 'BAD_NARROW' }

    await assert.rejects(
      // @ts-expect-error -- misspelt
      own.getMessages({ ...newest, narrow: [{ operator: 'chanel', operand: 'design' }] }),
      badNarrow,
    )
    await assert.rejects(
      // @ts-expect-error -- misspelt
      own.getMessages({ ...newest, narrow: [{ operator: 'is', operand: 'stared' }] }),
      badNarrow,
    )
    await assert.rejects(
      // @ts-expect-error -- misspelt
      own.getMessages({ ...newest, narrow: [['has', 'links']] }),
      badNarrow,
    )
    await assert.rejects(
      // @ts-expect-error -- topics have no ids
      own.getMessages({ ...newest, narrow: [{ operator: 'topic', operand: 4 }] }),
      { code: 'BAD_REQUEST' },
    )
    const narrow: readonly Api.NarrowTerm[] = [
      { operator: 'channel', operand: at.channels.design },
      { operator: 'dm', operand: [at.people.bob.id], negated: true },
      ['is', 'unread'],
    ]
    assert.deepEqual((await own.getMessages({ ...newest, narrow })).messages, [])
  })

  it('are parameters that only clients need', async () => {
    const own = api()
    const message = { type: 'channel', to: at.channels.design, topic: 'x', content: 'x' } as const

    await assert.rejects(
      // @ts-expect-error -- the application has no queue
      own.sendMessage({ ...message, queue_id: '1:a', local_id: '1' }),
      unknownParameter('queue_id, local_id'),
    )
    await assert.rejects(
      // @ts-expect-error -- it gets all URLs of pictures
      own.getMessages({ ...newest, client_gravatar: true }),
      unknownParameter('client_gravatar'),
    )
    await assert.rejects(
      // @ts-expect-error -- no events come from the queue
      own.registerQueue({ queue_lifespan_secs: 60 }),
      unknownParameter('queue_lifespan_secs'),
    )
    // @ts-expect-error -- an older name
    await assert.rejects(own.updateStatus({ away: true }), unknownParameter('away'))
    await assert.rejects(
      // @ts-expect-error -- the server sends no such mail
      own.deactivateUser({ user_id: at.people.bob.id, deactivation_notification_comment: 'Bye' }),
      unknownParameter('deactivation_notification_comment'),
    )
  })

  it('are hooks of operations that there are not', () => {
    const { chat } = at.host
    const unknownOperation = { name: 'TypeError', message: /sendMesage/ }

    // @ts-expect-error -- misspelt
    assert.throws(() => chat.before('sendMesage', () => undefined), unknownOperation)
    // @ts-expect-error -- misspelt
    assert.throws(() => chat.after('sendMesage', () => undefined), unknownOperation)
    const remove = chat.before('content', ({ text }) => text.trim())
    remove()
  })

  it('which gets the addresses of all pictures', async () => {
    const own = api()
    await own.sendMessage({ type: 'channel', to: at.channels.design, topic: 'x', content: 'x' })

    const pictures = [
      ...(await own.getMessages(newest)).messages.map(({ avatar_url }) => avatar_url),
      ...(await own.getUsers()).members.map(({ avatar_url }) => avatar_url),
    ]

    assert.ok(pictures.length > 2)
    assert.deepEqual(
      pictures.filter((url) => typeof url !== 'string'),
      [],
    )
  })
})
