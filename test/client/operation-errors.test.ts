import assert from 'node:assert/strict'
import { it } from 'node:test'

import {
  ApiError,
  ConnectionError,
  isErrorOf,
  type ChatApi,
  type CommonErrorCode,
  type ErrorCode,
  type OperationErrors,
  type OperationName,
} from '@parley/client'

import { everyDatabase } from '../support/host.js'
import { chatClientOf } from './clients.js'

/** Compiles only if both types are the same. */
function sameType<One, Other>(
  _same: [One, Other] extends [Other, One] ? true : { readonly one: One; readonly other: Other },
): void {}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('the call has not failed')
}

everyDatabase(
  'the errors of an operation',
  'express',
  (at) => {
    it('have the codes that it declares, and not those of others', async () => {
      const { api } = chatClientOf(at.people.alice)
      const channel = { name: 'taken', subscribers: [at.people.alice.id] }
      await api.createChannel(channel)
      const error = await errorOf(api.createChannel(channel))

      assert.ok(isErrorOf('createChannel', error))
      sameType<
        typeof error.code,
        CommonErrorCode | 'CHANNEL_ALREADY_EXISTS' | 'REQUEST_VARIABLE_INVALID'
      >(true)
      // @ts-expect-error -- another operation declares this code
      assert.notEqual(error.code, 'BAD_EVENT_QUEUE_ID' satisfies typeof error.code)
      assert.equal(error.operation, 'createChannel')
      assert.equal(error.code, 'CHANNEL_ALREADY_EXISTS')
      assert.equal(error.status, 409)

      assert.ok(isErrorOf('createChannel', error, 'CHANNEL_ALREADY_EXISTS'))
      sameType<typeof error.code, 'CHANNEL_ALREADY_EXISTS'>(true)
    })

    it('are those of the operation and the code that are asked for', async () => {
      const { api } = chatClientOf(at.people.alice)
      const error = await errorOf(api.getEvents({ queue_id: '1:x', last_event_id: -1 }))

      assert.ok(error instanceof ApiError)
      assert.ok(isErrorOf('getEvents', error, 'BAD_EVENT_QUEUE_ID'))
      assert.ok(!isErrorOf('getEvents', error, 'BAD_REQUEST'))
      assert.ok(!isErrorOf('deleteQueue', error))
      assert.ok(!isErrorOf('getEvents', new ConnectionError('TIMEOUT', 'late')))
      // @ts-expect-error -- the operation does not declare this code
      assert.ok(!isErrorOf('getEvents', error, 'CHANNEL_ALREADY_EXISTS'))
      // @ts-expect-error -- there is no such operation
      assert.ok(!isErrorOf('getNothing', error))
    })
  },
  { resolveOrganization: undefined } as never,
)

it('every method of a client has codes, of which each is one of the API', () => {
  sameType<OperationName, keyof ChatApi>(true)
  sameType<OperationErrors[OperationName], Exclude<ErrorCode, 'METHOD_NOT_ALLOWED'>>(true)
})
