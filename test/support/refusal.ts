import assert from 'node:assert/strict'

import type { Answer } from './client.js'

/** Asserts that the answer is a refusal with exactly this body. */
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

/** The body of a success without payload. */
export const bareSuccess = { result: 'success', msg: '' }
