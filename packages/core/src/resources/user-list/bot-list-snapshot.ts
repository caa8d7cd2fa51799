import { inject } from 'tsyringe'

import { hasRole, Role } from '../../domain/actor.js'
import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import { ApiKeys } from '../credentials/index.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { apiEmail, avatarUrl, UserRepository } from '../users/index.js'

/** The bots that the client's own user manages, with their API keys. */
@perServer()
export class BotListSnapshot implements SnapshotSection {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_bot')) return {}
    const { scope, actor } = context
    const managesAll = hasRole(actor, Role.administrator) && !actor.isBot
    const bots = await this.users.listBots(scope, managesAll ? undefined : actor.userId)
    return {
      realm_bots: bots.map((bot) => ({
        user_id: bot.id,
        email: apiEmail(bot, this.facts),
        full_name: bot.full_name,
        bot_type: bot.bot_type,
        is_active: Boolean(bot.is_active),
        owner_id: bot.bot_owner_id,
        api_key: this.apiKeys.reveal(bot),
        avatar_url: avatarUrl(bot, { clientGravatar: false }),
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        services: [],
      })),
    }
  }
}
