import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess, ChannelRepository } from '../../channels/channels/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import {
  actorOf,
  apiEmail,
  seesSecrets,
  shownAvatarUrl,
  UserRepository,
  type BotService,
  type UserRow,
} from '../../people/users/index.js'
import { BotRepository } from './bot-repository.js'
import type { BotDetailsRow } from './bot-details-table.js'
import type { ManagedBot } from './bot-events.js'
import { ServiceTokens } from './service-tokens.js'

/** Describes bots for the users who manage them. */
@perServer()
export class BotView {
  constructor(
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Describes bots, in the order of `bots`. A channel that is not visible to `viewer` is null, and
   * secrets that are not are empty.
   *
   * @param viewer the recipient of the response or the event.
   */
  async describe(
    scope: OrganizationScope,
    bots: readonly UserRow[],
    viewer: Actor,
  ): Promise<ManagedBot[]> {
    const details = await this.bots.listDetails(
      scope,
      bots.map(({ id }) => id),
    )
    const byBot = new Map(details.map((row) => [row.user_id, row]))
    const channelIds = details
      .flatMap((row) => [row.default_sending_channel_id, row.default_events_channel_id])
      .filter((id) => id !== null)
    const names = await this.#channelNames(scope, [...new Set(channelIds)], viewer)
    const nameOf = (id: number | null | undefined): string | null => names.get(id ?? 0) ?? null
    return bots.map((bot) => {
      const own = byBot.get(bot.id)
      return {
        user_id: bot.id,
        email: apiEmail(bot, this.facts),
        full_name: bot.full_name,
        bot_type: bot.bot_type ?? 1,
        is_active: bot.is_active,
        owner_id: bot.bot_owner_id,
        api_key: seesSecrets(viewer, bot) ? this.apiKeys.reveal(bot) : '',
        avatar_url: shownAvatarUrl(bot, this.facts),
        default_sending_stream: nameOf(own?.default_sending_channel_id),
        default_events_register_stream: nameOf(own?.default_events_channel_id),
        default_all_public_streams: own?.default_all_public_channels === true,
        services: this.#servicesOf(own, seesSecrets(viewer, bot)),
      }
    })
  }

  async describeOne(scope: OrganizationScope, bot: UserRow, viewer: Actor): Promise<ManagedBot> {
    const [described] = await this.describe(scope, [bot], viewer)
    return present(described, 'the description of the bot')
  }

  /**
   * Describes bots for each of several users. Administrators who own none of them share one
   * description.
   *
   * @returns the descriptions, each with the users whom it is for.
   */
  async describeFor(
    scope: OrganizationScope,
    bots: readonly UserRow[],
    userIds: readonly number[],
  ): Promise<{ readonly userIds: readonly number[]; readonly bots: readonly ManagedBot[] }[]> {
    if (userIds.length === 0 || bots.length === 0) return []
    const users = await this.users.findMany(scope, userIds)
    const ownerIds = new Set(bots.map((bot) => bot.bot_owner_id))
    const isShared = (user: UserRow): boolean =>
      hasRole(user, Role.administrator) && !ownerIds.has(user.id)
    const administrators = users.filter(isShared)
    const others = users.filter((user) => !isShared(user))
    const groups = [administrators, ...others.map((user) => [user])]
    const described = []
    for (const [viewer, ...same] of groups) {
      if (viewer === undefined) continue
      described.push({
        userIds: [viewer, ...same].map(({ id }) => id),
        bots: await this.describe(scope, bots, actorOf(viewer)),
      })
    }
    return described
  }

  #servicesOf(details: BotDetailsRow | undefined, seesToken: boolean): BotService[] {
    const { service_base_url: base_url, service_interface, service_token_sealed } = details ?? {}
    if (base_url == null || service_interface == null || service_token_sealed == null) return []
    const token = seesToken ? this.serviceTokens.reveal(service_token_sealed) : ''
    return [{ base_url, interface: service_interface, token }]
  }

  async #channelNames(
    scope: OrganizationScope,
    ids: readonly number[],
    viewer: Actor,
  ): Promise<ReadonlyMap<number, string>> {
    const names = new Map<number, string>()
    if (ids.length === 0) return names
    const access = await this.access.viewer(viewer)
    for (const found of await this.channels.findManyForUser(scope, ids, viewer.userId)) {
      if (access.hasMetadataAccess(found)) names.set(found.channel.id, found.channel.name)
    }
    return names
  }
}
