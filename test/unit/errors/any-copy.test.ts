import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ChatError, PushRelayError } from '@parley/core'
import { tsImport } from 'tsx/esm/api'

type Core = { ChatError: typeof ChatError; PushRelayError: typeof PushRelayError }

/** Another copy of a module, as in an application with two versions of a package. */
const copyOf = (file: string): Promise<Core> =>
  tsImport(`../../../packages/core/src/${file}`, import.meta.url) as Promise<Core>

describe('an error of another copy of the package', () => {
  it('is an instance of ChatError of each copy', async () => {
    const copy = await copyOf('errors/chat-error.ts')
    const own = new ChatError('BAD_REQUEST', { message: 'closed' })
    const other = new copy.ChatError('BAD_REQUEST', { message: 'closed' })

    assert.notEqual(copy.ChatError, ChatError)
    assert.ok(other instanceof ChatError)
    assert.ok(own instanceof copy.ChatError)
    assert.ok(own instanceof ChatError)
    assert.equal(other.body, own.body)
  })

  it('is an instance of PushRelayError of each copy, and no ChatError', async () => {
    const copy = await copyOf('resources/notifications/push-relay/push-relay.ts')
    const other = new copy.PushRelayError('broken', 'no answer')

    assert.ok(other instanceof PushRelayError)
    assert.equal(other instanceof ChatError, false)
  })

  it('does not match other errors', () => {
    class Closed extends ChatError<'UNAUTHORIZED'> {}
    const values = [new Error('x'), { name: 'ChatError' }, null, undefined, 'ChatError']

    assert.deepEqual(
      values.map((value) => value instanceof ChatError),
      values.map(() => false),
    )
    assert.ok(new Closed('UNAUTHORIZED') instanceof ChatError)
    assert.ok(new Closed('UNAUTHORIZED') instanceof Closed)
    assert.equal(new ChatError('UNAUTHORIZED') instanceof Closed, false)
  })
})
