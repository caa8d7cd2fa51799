import assert from 'node:assert/strict'

import type { Answer, Client } from './client.js'

/** The choices of a list of options. */
export const editors = {
  vim: { text: 'Vim', order: '1' },
  emacs: { text: 'Emacs', order: '2' },
}

/** Sends a request to create a field; a short text called `Name` by default. */
export const createField = (client: Client, params: Record<string, unknown>): Promise<Answer> =>
  client.post('/realm/profile_fields', { name: 'Name', field_type: 1, ...params })

/** Creates a field. @returns its id. */
export async function createdField(
  client: Client,
  params: Record<string, unknown>,
): Promise<number> {
  const answer = await createField(client, params)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id as number
}
