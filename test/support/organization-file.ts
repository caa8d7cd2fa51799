import assert from 'node:assert/strict'

import { OrganizationFileError } from '@parley/core/import'

import type { TestHost } from './host.js'

/** The user that every organization file must have. */
export const owner = { id: 9001, email: 'own@files.example', full_name: 'Owner', role: 100 }

/** All errors of an organization file, which must not be loaded. */
export async function problemsOf(host: TestHost, file: unknown): Promise<readonly string[]> {
  const error = await host.chat.organizations.load(file).then(
    () => assert.fail('the file was accepted'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof OrganizationFileError)
  return error.problems
}
