import { badRequest } from '../../../errors/index.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import type { UserRow } from './users-table.js'

type KnownUser = Pick<UserRow, 'external_id'>

/** Whether the user themselves may not change this, because the application does. */
export function isOwnedByApplication(
  user: KnownUser,
  property: ServerFacts['ownedByApplication'][number],
  facts: Pick<ServerFacts, 'ownedByApplication'>,
): boolean {
  return user.external_id !== null && facts.ownedByApplication.includes(property)
}

/** @throws {ChatError} `BAD_REQUEST` if the user may not have an API key. */
export function requireApiKeyAllowed(user: KnownUser, facts: Pick<ServerFacts, 'apiKeys'>): void {
  if (facts.apiKeys === 'on' || user.external_id === null) return
  throw badRequest('API_KEYS_DISABLED')
}
