import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import type { OrganizationScope } from '../../storage/index.js'
import { ChannelRepository } from '../channels/index.js'
import { ApiKeys } from '../credentials/index.js'
import { apiEmail, shownAvatarUrl, type BotService, type UserRow } from '../users/index.js'
import { BotRepository, type BotDetailsRow } from './bot-repository.js'
import type { ManagedBot } from './bot-schemas.js'

/** Shows bots to those who manage them. */
@perServer()
export class BotView {
  constructor(
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** In the order of `bots`. */
  async describe(scope: OrganizationScope, bots: readonly UserRow[]): Promise<ManagedBot[]> {
    const details = await this.bots.listDetails(
      scope,
      bots.map(({ id }) => id),
    )
    const byBot = new Map(details.map((row) => [row.user_id, row]))
    const channelIds = details
      .flatMap((row) => [row.default_sending_channel_id, row.default_events_channel_id])
      .filter((id) => id !== null)
    const channels = await this.channels.findMany(scope, [...new Set(channelIds)])
    const names = new Map(channels.map(({ id, name }) => [id, name]))
    const nameOf = (id: number | null | undefined): string | null => names.get(id ?? 0) ?? null
    return bots.map((bot) => {
      const own = byBot.get(bot.id)
      return {
        user_id: bot.id,
        email: apiEmail(bot, this.facts),
        full_name: bot.full_name,
        bot_type: bot.bot_type ?? 1,
        is_active: Boolean(bot.is_active),
        owner_id: bot.bot_owner_id,
        api_key: this.apiKeys.reveal(bot),
        avatar_url: shownAvatarUrl(bot, this.facts),
        default_sending_stream: nameOf(own?.default_sending_channel_id),
        default_events_register_stream: nameOf(own?.default_events_channel_id),
        default_all_public_streams: Boolean(own?.default_all_public_channels),
        services: servicesOf(own),
      }
    })
  }

  async describeOne(scope: OrganizationScope, bot: UserRow): Promise<ManagedBot> {
    const [described] = await this.describe(scope, [bot])
    return described as ManagedBot
  }
}

function servicesOf(details: BotDetailsRow | undefined): BotService[] {
  const { service_base_url, service_interface, service_token } = details ?? {}
  if (service_base_url == null || service_interface == null || service_token == null) return []
  return [{ base_url: service_base_url, interface: service_interface, token: service_token }]
}
