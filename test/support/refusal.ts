import assert from 'node:assert/strict'

import type { Answer } from './client.js'

/** Asserts that the response is an error with exactly this body. */
export function assertRefused(
  answer: Answer,
  msg: string,
  more: { readonly status?: number; readonly code?: string } & Readonly<
    Record<string, unknown>
  > = {},
): void {
  const { status = 400, ...fields } = more
  assert.deepEqual(
    { status: answer.status, body: answer.body as unknown },
    { status, body: { result: 'error', msg, code: 'BAD_REQUEST', ...fields } },
  )
}

/** The body of a successful response without data. */
export const bareSuccess = { result: 'success', msg: '' }
