import { inject } from 'tsyringe'

import { hasRole, isGuest, Role, type Actor } from '../../../domain/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess } from './channel-access.js'
import { ChannelObjects } from './channel-objects.js'
import { ChannelRepository } from './channel-repository.js'
import type { ChannelForUser } from './channel-rows.js'
import type { Channel, ListedChannel } from './channel-schemas.js'
import { ChannelSubscriberRepository } from './channel-subscriber-repository.js'
import type { ChannelViewer } from './channel-viewer.js'

/** Which channels a list includes; a channel is included if any of the options includes it. */
export interface ChannelListOptions {
  readonly includePublic: boolean
  readonly includeWebPublic: boolean
  readonly includeSubscribed: boolean
  readonly includeAll: boolean
  /** The deprecated form of `includeAll`, which only administrators may use. */
  readonly includeAllActive: boolean
  readonly includeDefault: boolean
  readonly includeOwnerSubscribed: boolean
  readonly includeCanAccessContent: boolean
  readonly excludeArchived: boolean
}

/** Lists the channels that are visible to an actor. */
@perServer()
export class ChannelListService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
  ) {}

  /**
   * Lists channels by name. Each has `is_default` if `includeDefault` is set.
   *
   * @throws {ChatError} `BAD_REQUEST` if `includeAllActive` is set and `actor` is not an
   *   administrator.
   */
  async list(actor: Actor, options: ChannelListOptions): Promise<ListedChannel[]> {
    if (options.includeAllActive && !hasRole(actor, Role.administrator)) {
      throw badRequest('USER_QUERY_NOT_ALLOWED')
    }
    const scope = this.database.read(actor.organizationId)
    const viewer = await this.access.viewer(actor)
    const ofOwner = await this.#ownersChannels(scope, actor, options)
    const found = (await this.channels.listForUser(scope, actor.userId)).filter(
      (channel) =>
        viewer.hasMetadataAccess(channel) &&
        !(options.excludeArchived && channel.channel.is_archived) &&
        (ofOwner.has(channel.channel.id) || isIncluded(channel, viewer, options)),
    )
    const rows = found.map(({ channel }) => channel)
    const listed = await this.objects.describe(scope, rows)
    if (!options.includeDefault) return byName(listed)
    return byName(
      listed.map((channel, index) => ({
        ...channel,
        is_default: rows[index]?.is_default === true,
      })),
    )
  }

  /** Every channel that is visible to `actor`, by name. */
  async listVisible(
    scope: OrganizationScope,
    actor: Actor,
    options: { readonly includesArchived: boolean },
  ): Promise<Channel[]> {
    const viewer = await this.access.viewer(actor)
    const rows = (await this.channels.listForUser(scope, actor.userId))
      .filter((found) => viewer.hasMetadataAccess(found))
      .map(({ channel }) => channel)
      .filter((channel) => options.includesArchived || !channel.is_archived)
    return byName(await this.objects.describe(scope, rows))
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or it is not visible to `actor`.
   */
  async find(actor: Actor, channelId: number): Promise<Channel> {
    const scope = this.database.read(actor.organizationId)
    const { channel } = await this.access.requireVisible(scope, actor, { id: channelId })
    const [described] = await this.objects.describe(scope, [channel])
    return present(described, 'the description of the channel')
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or it is not visible to `actor`.
   */
  async findId(actor: Actor, name: string): Promise<number> {
    const scope = this.database.read(actor.organizationId)
    return (await this.access.requireVisible(scope, actor, { name })).channel.id
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or it is not visible to `actor`.
   */
  async listSubscribers(actor: Actor, channelId: number): Promise<number[]> {
    const scope = this.database.read(actor.organizationId)
    await this.access.requireVisible(scope, actor, { id: channelId })
    return this.channels.listReceiverIds(scope, channelId)
  }

  async #ownersChannels(
    scope: OrganizationScope,
    actor: Actor,
    options: ChannelListOptions,
  ): Promise<ReadonlySet<number>> {
    if (!options.includeOwnerSubscribed || actor.botOwnerId === null) return new Set()
    return new Set(await this.subscribers.listChannelIds(scope, actor.botOwnerId))
  }
}

function isIncluded(
  found: ChannelForUser,
  viewer: ChannelViewer,
  options: ChannelListOptions,
): boolean {
  const { channel, isSubscribed } = found
  if (options.includeAll || options.includeAllActive) return true
  if (options.includeSubscribed && isSubscribed) return true
  if (options.includeWebPublic && channel.is_web_public) return true
  if (options.includeDefault && channel.is_default) return true
  if (options.includeCanAccessContent && viewer.hasContentAccess(found)) return true
  return options.includePublic && !channel.is_private && !isGuest(viewer.actor)
}

function byName<Item extends { readonly name: string }>(items: Item[]): Item[] {
  return items.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
