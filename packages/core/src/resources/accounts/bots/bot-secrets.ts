import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { OwnApiKey } from '../../access/authentication/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import {
  actorOf,
  BotManagerRepository,
  botUpdated,
  UserRepository,
  type UserRow,
} from '../../people/users/index.js'
import { BotRepository } from './bot-repository.js'
import { BotView } from './bot-view.js'
import { ServiceTokens } from './service-tokens.js'

/** Replaces the API key of a bot and the token of its outgoing webhook. */
@perServer()
export class BotSecrets {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(OwnApiKey) private readonly keys: OwnApiKey,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(BotView) private readonly view: BotView,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
  ) {}

  /** Stores new secrets, without an event. */
  async replace(tx: Transaction, bot: UserRow): Promise<void> {
    await this.keys.store(tx, bot, this.apiKeys.create())
    const [details] = await this.bots.listDetails(tx, [bot.id])
    if (details?.service_token_sealed == null) return
    await this.bots.change(tx, bot.id, { service_token_sealed: this.serviceTokens.toStored() })
  }

  /** Sends the secrets to the owner of a bot. */
  async announce(tx: Transaction, { id }: UserRow): Promise<void> {
    const bot = await this.users.get(tx, id)
    const holders = await this.users.findMany(tx, await this.managers.listSecretHolders(tx, bot))
    for (const holder of holders) {
      const described = await this.view.describeOne(tx, bot, actorOf(holder))
      const { user_id, api_key, services } = described
      const changed = services.length > 0 ? { api_key, services } : { api_key }
      tx.emit(botUpdated({ userIds: [holder.id] }, { bot: { user_id, ...changed } }))
    }
  }
}
