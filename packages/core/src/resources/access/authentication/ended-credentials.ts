import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { accessTokens } from './access-tokens-table.js'
import { OwnApiKey } from './own-api-key.js'
import { socketTickets } from './socket-tickets-table.js'

/** Ends the API key, the tokens and the tickets from before a deactivation when a user is reactivated. */
@perServer()
export class EndedCredentials implements AccountStep {
  constructor(
    @inject(OwnApiKey) private readonly keys: OwnApiKey,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
  ) {}

  async beforeReactivate(tx: Transaction, user: UserRow): Promise<void> {
    await tx.rows(accessTokens).delete({ user_id: user.id })
    await tx.rows(socketTickets).delete({ user_id: user.id })
    if (!user.is_bot) await this.keys.store(tx, user, this.apiKeys.create())
  }
}
