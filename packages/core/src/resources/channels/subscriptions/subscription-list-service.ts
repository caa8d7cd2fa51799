import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/users/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import { encodedFields, EncodedItems, encodedObject } from '../../../kernel/encoded-list.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UserRepository } from '../../people/users/index.js'
import {
  ChannelAccess,
  ChannelSubscriberRepository,
  EncodedChannels,
  type EncodedChannel,
} from '../channels/index.js'
import { personalFields, subscriberFields, withInherited } from './subscription-objects.js'
import { subscriptions, type SubscriptionRow } from './subscriptions-table.js'
import type {
  ChannelWithSubscribers,
  IncludeSubscribers,
  Subscription,
} from './subscription-events.js'

/**
 * All channels that a user can see, by the state of the user's subscription; each list is sorted by
 * name.
 */
export interface SubscriptionLists {
  readonly subscriptions: Subscription[]
  readonly unsubscribed: Subscription[]
  readonly never_subscribed: ChannelWithSubscribers[]
}

export interface SubscriptionListOptions {
  readonly includeSubscribers: IncludeSubscribers
  readonly includesArchived: boolean
  /** The user's settings, which replace null for clients that do not support null. */
  readonly inheritedFrom?: UserSettingsJson
}

/** Reads subscriptions. */
@perServer()
export class SubscriptionListService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(EncodedChannels) private readonly encoded: EncodedChannels,
    @inject(ChannelSubscriberRepository) private readonly subscribers: ChannelSubscriberRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserAccess) private readonly people: UserAccess,
  ) {}

  /** The actor's subscriptions to active channels, by name. */
  async listOwn(actor: Actor, includeSubscribers: IncludeSubscribers): Promise<Subscription[]> {
    const scope = this.database.read(actor.organizationId)
    const rows = await scope.rows(subscriptions).list({ user_id: actor.userId })
    const own = new Map(rows.filter((row) => row.is_active).map((row) => [row.channel_id, row]))
    const channels = (await this.encoded.list(scope)).filter(
      ({ id, is_archived }) => own.has(id) && !is_archived,
    )
    const jsonOf = await this.#encoder(scope, channels, includeSubscribers)
    const items = new EncodedItems<Subscription>()
    const yielder = new EventLoopYielder()
    for (const channel of channels) {
      if (yielder.isDue) await yielder.yield()
      const row = present(own.get(channel.id), 'the subscription to each channel')
      items.add(encodedObject(...jsonOf(channel), encodedFields(personalFields(row))))
    }
    return items.list()
  }

  /** Reads everything through `scope`, in a constant number of queries. */
  async listAll(
    scope: OrganizationScope,
    actor: Actor,
    options: SubscriptionListOptions,
  ): Promise<SubscriptionLists> {
    const [rows, viewer, channels] = await scope.readTogether(
      () => scope.rows(subscriptions).list({ user_id: actor.userId }),
      () => this.access.viewer(actor),
      () => this.encoded.list(scope),
    )
    const own = new Map(rows.map((row) => [row.channel_id, row]))
    const visible = channels.filter(
      (channel) =>
        viewer.hasMetadataAccess({
          channel,
          isSubscribed: own.get(channel.id)?.is_active === true,
        }) &&
        (options.includesArchived || !channel.is_archived),
    )
    const jsonOf = await this.#encoder(scope, visible, options.includeSubscribers)
    const personalJson = personalEncoder(options)
    const subscribed = new EncodedItems<Subscription>()
    const unsubscribed = new EncodedItems<Subscription>()
    const neverSubscribed = new EncodedItems<ChannelWithSubscribers>()
    const yielder = new EventLoopYielder()
    for (const channel of visible) {
      if (yielder.isDue) await yielder.yield()
      const row = own.get(channel.id)
      if (row === undefined) {
        neverSubscribed.add(encodedObject(...jsonOf(channel)))
      } else {
        const list = row.is_active ? subscribed : unsubscribed
        list.add(encodedObject(...jsonOf(channel), personalJson(row)))
      }
    }
    return {
      subscriptions: subscribed.list(),
      unsubscribed: unsubscribed.list(),
      never_subscribed: neverSubscribed.list(),
    }
  }

  /**
   * Whether a user is subscribed to a channel.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such active human user, or no such channel,
   *   that `actor` can see.
   */
  async isSubscribed(actor: Actor, userId: number, channelId: number): Promise<boolean> {
    const scope = this.database.read(actor.organizationId)
    const user = await this.people.requireAccess(scope, actor, await this.users.find(scope, userId))
    if (user.is_bot) throw badRequest('USER_UNKNOWN')
    if (!user.is_active) throw badRequest('USER_INACTIVE')
    await this.access.requireVisible(scope, actor, { id: channelId })
    const row = await scope.rows(subscriptions).find({ user_id: userId, channel_id: channelId })
    return row?.is_active === true
  }

  /** @returns a function that returns the JSON of the fields of one of the channels, in parts. */
  async #encoder(
    scope: OrganizationScope,
    channels: readonly EncodedChannel[],
    include: IncludeSubscribers,
  ): Promise<(channel: EncodedChannel) => string[]> {
    const jsonOf = await this.encoded.encoder(scope)
    if (include === 'false') return (channel) => [jsonOf(channel)]
    const subscribers = await this.subscribers.listSubscriberIds(
      scope,
      channels.map(({ id }) => id),
    )
    return (channel) => [
      jsonOf(channel),
      encodedFields(subscriberFields(subscribers.get(channel.id) ?? [], include)),
    ]
  }
}

/** @returns a function that returns the JSON of a subscription's own fields. */
function personalEncoder({
  inheritedFrom,
}: SubscriptionListOptions): (row: SubscriptionRow) => string {
  if (inheritedFrom === undefined) return (row) => encodedFields(personalFields(row))
  const settings = parseUserSettings(inheritedFrom)
  return (row) => encodedFields(withInherited(personalFields(row), settings))
}
