import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import {
  ChannelAccess,
  ChannelObjects,
  ChannelRepository,
  type Channel,
} from '../channels/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UserRepository } from '../../people/users/index.js'
import { personalFields, SubscriptionObjects, withInherited } from './subscription-objects.js'
import { SubscriptionRepository } from './subscription-repository.js'
import type {
  ChannelWithSubscribers,
  IncludeSubscribers,
  Subscription,
} from './subscription-schemas.js'

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
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(SubscriptionObjects) private readonly subscriptionObjects: SubscriptionObjects,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserAccess) private readonly people: UserAccess,
  ) {}

  /** The actor's subscriptions to active channels, by name. */
  async listOwn(actor: Actor, includeSubscribers: IncludeSubscribers): Promise<Subscription[]> {
    const scope = this.database.read(actor.organizationId)
    const rows = await this.subscriptions.listOfUser(scope, actor.userId)
    const personal = new Map(
      rows.filter((row) => row.is_active).map((row) => [row.channel_id, personalFields(row)]),
    )
    const channels = (await this.channels.findMany(scope, [...personal.keys()])).filter(
      (channel) => !channel.is_archived,
    )
    const described = await this.objects.describe(scope, channels)
    const listed = described.map((channel) => ({
      ...channel,
      ...present(personal.get(channel.stream_id), 'the subscription to each channel'),
    }))
    return this.subscriptionObjects.withSubscribers(scope, byName(listed), includeSubscribers)
  }

  /** Reads everything through `scope`, in a constant number of queries. */
  async listAll(
    scope: OrganizationScope,
    actor: Actor,
    options: SubscriptionListOptions,
  ): Promise<SubscriptionLists> {
    const viewer = await this.access.viewer(actor)
    const visible = (await this.channels.listForUser(scope, actor.userId)).filter(
      (found) =>
        viewer.hasMetadataAccess(found) && (options.includesArchived || !found.channel.is_archived),
    )
    const described = await this.subscriptionObjects.withSubscribers(
      scope,
      byName(
        await this.objects.describe(
          scope,
          visible.map(({ channel }) => channel),
        ),
      ),
      options.includeSubscribers,
    )
    const rows = await this.subscriptions.listOfUser(scope, actor.userId)
    const settings =
      options.inheritedFrom === undefined ? undefined : parseUserSettings(options.inheritedFrom)
    const personal = new Map(
      rows.map((row) => {
        const fields = personalFields(row)
        const shown = settings === undefined ? fields : withInherited(fields, settings)
        return [row.channel_id, { ...shown, isActive: row.is_active }]
      }),
    )
    const lists: SubscriptionLists = { subscriptions: [], unsubscribed: [], never_subscribed: [] }
    for (const channel of described) {
      const own = personal.get(channel.stream_id)
      if (own === undefined) {
        lists.never_subscribed.push(channel)
        continue
      }
      const { isActive, ...fields } = own
      lists[isActive ? 'subscriptions' : 'unsubscribed'].push({ ...channel, ...fields })
    }
    return lists
  }

  /**
   * Whether a user is subscribed to a channel.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such active human user, or no such channel,
   *   that `actor` can see.
   */
  async isSubscribed(actor: Actor, userId: number, channelId: number): Promise<boolean> {
    const scope = this.database.read(actor.organizationId)
    const user = await this.users.find(scope, userId)
    if (user === undefined || user.is_bot) throw badRequest('USER_UNKNOWN')
    if (!user.is_active) throw badRequest('USER_INACTIVE')
    if (!(await this.people.allows(scope, actor, user))) throw badRequest('INSUFFICIENT_PERMISSION')
    await this.access.requireVisible(scope, actor, { id: channelId })
    const row = await this.subscriptions.find(scope, userId, channelId)
    return row?.is_active === true
  }
}

function byName<Item extends Pick<Channel, 'name'>>(items: Item[]): Item[] {
  return items.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
