import { inject, injectAll } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { type Transaction, UnitOfWork } from '../../../storage/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import {
  accountChanged,
  type AccountStep,
  BotManagerRepository,
  botUpdated,
  type KeyReplacedStep,
  KeyReplacedStepToken,
  requireApiKeyAllowed,
  UserRepository,
  type UserRow,
} from '../../people/users/index.js'
import { accessTokens } from './access-tokens-table.js'
import { socketTickets } from './socket-tickets-table.js'

/** Lets users and bots replace their API keys. */
@perServer()
export class OwnApiKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @injectAll(KeyReplacedStepToken) private readonly steps: readonly KeyReplacedStep[],
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Replaces `actor`'s API key. The old one is no longer valid; event queues continue under the
   * new one.
   *
   * @returns the new key.
   * @throws {ChatError} `BAD_REQUEST` if the application allows the user no key.
   */
  async regenerate(actor: Actor): Promise<string> {
    const apiKey = this.apiKeys.create()
    await this.unitOfWork.runFor(actor, async (tx) => {
      const account = await this.users.getLocked(tx, actor.userId)
      requireApiKeyAllowed(account, this.facts)
      await this.replace(tx, account, apiKey)
    })
    return apiKey
  }

  /**
   * Stores this key for an account. If it is a bot, the key is sent to its owner.
   *
   * @param isBySystem whether the chat replaces a key that can no longer be decrypted.
   */
  async replace(
    tx: Transaction,
    account: UserRow,
    apiKey: string,
    isBySystem = false,
  ): Promise<void> {
    await this.store(tx, account, apiKey, isBySystem)
    if (!account.is_bot) return
    const userIds = await this.managers.listSecretHolders(tx, account)
    if (userIds.length === 0) return
    tx.emit(botUpdated({ userIds }, { bot: { user_id: account.id, api_key: apiKey } }))
  }

  /** The same as {@link replace}, without an event to the owner of a bot. */
  async store(
    tx: Transaction,
    account: UserRow,
    apiKey: string,
    isBySystem = false,
  ): Promise<void> {
    await this.users.update(tx, account.id, this.apiKeys.toStored(apiKey))
    tx.audit({ action: 'user.api_key_replaced', objectId: account.id, isBySystem })
    tx.emit(accountChanged({ userId: account.id }))
    for (const step of this.steps) await step.keyReplaced(tx, account.id)
  }
}

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
