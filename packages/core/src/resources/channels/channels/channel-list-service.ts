import { inject } from 'tsyringe'

import { hasRole, isGuest, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { encodedFields, EncodedItems, encodedObject } from '../../../kernel/encoded-list.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess } from './channel-access.js'
import { ChannelObjects } from './channel-objects.js'
import { ChannelRepository } from './channel-repository.js'
import type { Channel, ListedChannel } from './channel-events.js'
import { ChannelSubscriberRepository } from './channel-subscriber-repository.js'
import type { ChannelViewer } from './channel-viewer.js'
import { EncodedChannels, type EncodedChannel } from './encoded-channels.js'

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

/** A channel, and whether the actor is subscribed to it. */
interface FoundChannel {
  readonly channel: EncodedChannel
  readonly isSubscribed: boolean
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
    @inject(EncodedChannels) private readonly encoded: EncodedChannels,
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
    const found = (await this.#visible(scope, viewer)).filter(
      (item) =>
        !(options.excludeArchived && item.channel.is_archived) &&
        (ofOwner.has(item.channel.id) || isIncluded(item, viewer, options)),
    )
    return this.#encodedList(scope, found, (channel) =>
      options.includeDefault ? { is_default: channel.is_default } : {},
    )
  }

  /** Every channel that is visible to `actor`, by name. */
  async listVisible(
    scope: OrganizationScope,
    actor: Actor,
    options: { readonly includesArchived: boolean },
  ): Promise<Channel[]> {
    const visible = await this.#visible(scope, await this.access.viewer(actor))
    return this.#encodedList(
      scope,
      visible.filter(({ channel }) => options.includesArchived || !channel.is_archived),
    )
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

  async #visible(scope: OrganizationScope, viewer: ChannelViewer): Promise<FoundChannel[]> {
    const [channels, subscribedIds] = await scope.readTogether(
      () => this.encoded.list(scope),
      () => this.subscribers.listChannelIds(scope, viewer.actor.userId),
    )
    const subscribed = new Set(subscribedIds)
    return channels
      .map((channel) => ({ channel, isSubscribed: subscribed.has(channel.id) }))
      .filter((found) => viewer.hasMetadataAccess(found))
  }

  /** @param moreOf further fields of a channel. */
  async #encodedList<Item extends Channel>(
    scope: OrganizationScope,
    found: readonly FoundChannel[],
    moreOf: (channel: EncodedChannel) => object = () => ({}),
  ): Promise<Item[]> {
    const jsonOf = await this.encoded.encoder(scope)
    const yielder = new EventLoopYielder()
    const items = new EncodedItems<Item>()
    for (const { channel } of found) {
      if (yielder.isDue) await yielder.yield()
      items.add(encodedObject(jsonOf(channel), encodedFields(moreOf(channel))))
    }
    return items.list()
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
  found: FoundChannel,
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
