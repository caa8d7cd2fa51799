import { inject, injectAll } from 'tsyringe'

import { subscriptionColor } from '../../../domain/organizations/subscription-colors.js'
import { EventLoopYielder, forEachInSlices } from '../../../kernel/event-loop-yielder.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { Transaction } from '../../../storage/index.js'
import { GuestUserVisibility, type VisibilityDiff } from '../../people/user-visibility/index.js'
import {
  ChannelAudiences,
  ChannelObjects,
  channelsCreated,
  channelsDeleted,
  type Channel,
  type ChannelAudience,
  type ChannelRow,
} from '../channels/index.js'
import { MessageAudiences } from '../message-permissions/index.js'
import { ChannelStepToken, type ChannelStep } from './channel-steps.js'
import { emitPerUser, emitToPeers } from './subscriber-announcements.js'
import {
  peersAdded,
  peersRemoved,
  subscriptionsAdded,
  subscriptionsRemoved,
  type PersonalProperties,
} from './subscription-events.js'
import { personalFields } from './subscription-objects.js'
import {
  firstSettings,
  personalColumns,
  SubscriptionRepository,
  type ChannelUsers,
  type ColoredUsers,
  type PersonalSettings,
} from './subscription-repository.js'

export interface NewSubscriptions {
  readonly channels: readonly ChannelRow[]
  /** Active users, whether subscribed or not. */
  readonly userIds: readonly number[]
  /** The channels among them that this transaction has created. */
  readonly createdIds?: ReadonlySet<number>
  /** Colors that the users have chosen, by channel id. */
  readonly colors?: ReadonlyMap<number, string>
  /** Whether the users themselves have clients that need events. */
  readonly usersListen?: boolean
}

/**
 * Changes the subscribers of channels, and sends events. The number of statements does not depend
 * on the number of users and channels.
 */
@perServer()
export class SubscriberChanges {
  constructor(
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(MessageAudiences) private readonly messageAudiences: MessageAudiences,
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
    @injectAll(ChannelStepToken) private readonly steps: readonly ChannelStep[],
    @inject(GuestUserVisibility) private readonly visibility: GuestUserVisibility,
  ) {}

  /**
   * Subscribes the users to the channels where they are not subscribed yet; previous personal
   * settings are restored.
   *
   * @returns the newly subscribed users, by channel.
   */
  async add(tx: Transaction, request: NewSubscriptions): Promise<ReadonlyMap<number, number[]>> {
    const { channels, userIds } = request
    const channelIds = channels.map(({ id }) => id)
    const known = await this.subscriptions.listStatesOf(tx, userIds, channelIds)
    const [current, ended] = [new Map<number, Set<number>>(), new Map<number, Set<number>>()]
    await forEachInSlices(known, ({ channel_id, user_id, is_active }) => {
      const users = is_active ? current : ended
      const ofChannel = users.get(channel_id)
      if (ofChannel === undefined) users.set(channel_id, new Set([user_id]))
      else ofChannel.add(user_id)
    })

    const added = new Map<number, number[]>()
    const first: ChannelUsers[] = []
    const again: ChannelUsers[] = []
    const yielder = new EventLoopYielder()
    for (const { id: channelId } of channels) {
      if (yielder.isDue) await yielder.yield()
      const others = userIds.filter((userId) => !current.get(channelId)?.has(userId))
      if (others.length === 0) continue
      const back = ended.get(channelId) ?? new Set()
      first.push({ channelId, userIds: others.filter((userId) => !back.has(userId)) })
      again.push({ channelId, userIds: others.filter((userId) => back.has(userId)) })
      added.set(channelId, ascending(others))
    }
    if (added.size === 0 && request.createdIds === undefined) return added

    const { usersListen = true } = request
    const before = await this.audiences.load(tx, channels, { withSubscribers: usersListen })
    const visibilityDiff = await this.visibility.of(tx, [...added.values()].flat())
    const colored = await this.#colored(tx, request, first)
    await this.subscriptions.insertMany(tx, colored)
    await this.subscriptions.setActive(tx, again, true)
    await this.#changeAudiences(tx, added, 'added')
    const looks = usersListen ? await this.#looks(tx, colored, again) : new Map()
    await this.#announceAdded(tx, request, added, { audience: before, visibilityDiff, looks })
    return added
  }

  /**
   * Unsubscribes the users from the channels where they are subscribed.
   *
   * @returns the unsubscribed users, by channel.
   */
  async remove(
    tx: Transaction,
    channels: readonly ChannelRow[],
    userIds: readonly number[],
  ): Promise<ReadonlyMap<number, number[]>> {
    const channelIds = channels.map(({ id }) => id)
    const known = await this.subscriptions.listStatesOf(tx, userIds, channelIds)
    const removed = new Map<number, number[]>()
    await forEachInSlices(known, ({ is_active, channel_id, user_id }) => {
      if (is_active) addTo(removed, channel_id, user_id)
    })
    if (removed.size === 0) return removed
    const ended = [...removed].map(([channelId, ids]) => ({ channelId, userIds: ids }))
    const visibilityDiff = await this.visibility.of(tx, [...removed.values()].flat())
    await this.subscriptions.setActive(tx, ended, false)
    await this.#changeAudiences(tx, removed, 'removed')
    const after = await this.audiences.load(tx, channels)

    await emitPerUser(tx, channels, removed, subscriptionsRemoved, {
      lookOf: () => undefined,
      describe: ({ id, name }) => ({ stream_id: id, name }),
    })
    emitToPeers(tx, channels, removed, after, peersRemoved)
    for (const step of this.steps) await step.unsubscribed?.(tx, ended)
    for (const channel of channels) {
      const observers = after.observers(channel)
      const losing = (removed.get(channel.id) ?? []).filter((userId) => !observers.has(userId))
      if (losing.length > 0) {
        tx.emit(channelsDeleted({ userIds: losing }, { channelIds: [channel.id] }))
      }
    }
    await this.visibility.sendLost(tx, visibilityDiff)
    return removed
  }

  async #changeAudiences(
    tx: Transaction,
    users: ReadonlyMap<number, number[]>,
    change: 'added' | 'removed',
  ): Promise<void> {
    const changes = [...users].map(([channelId, ids]) => [channelId, { [change]: ids }] as const)
    await this.messageAudiences.change(tx, new Map(changes))
  }

  /** Assigns a color to every first subscription: one that the user does not use yet. */
  async #colored(
    tx: Transaction,
    { channels, colors }: NewSubscriptions,
    first: readonly ChannelUsers[],
  ): Promise<ColoredUsers[]> {
    const userIds = [...new Set(first.flatMap((group) => group.userIds))]
    const used = new Map(await this.subscriptions.listUsedColors(tx, userIds))
    const recipientIds = new Map(channels.map((channel) => [channel.id, channel.recipient_id]))
    const groups: ColoredUsers[] = []
    for (const group of [...first].sort(
      (a, b) => (recipientIds.get(a.channelId) ?? 0) - (recipientIds.get(b.channelId) ?? 0),
    )) {
      const byColor = new Map<string, number[]>()
      await forEachInSlices(group.userIds, (userId) => {
        const own = used.get(userId) ?? new Set<string>()
        const color =
          colors?.get(group.channelId) ??
          subscriptionColor(recipientIds.get(group.channelId) ?? 0, own)
        used.set(userId, own.add(color))
        addTo(byColor, color, userId)
      })
      for (const [color, ids] of byColor) {
        groups.push({ channelId: group.channelId, userIds: ids, color })
      }
    }
    return groups
  }

  async #announceAdded(
    tx: Transaction,
    { channels, userIds, createdIds = new Set(), usersListen = true }: NewSubscriptions,
    added: ReadonlyMap<number, number[]>,
    {
      audience: before,
      visibilityDiff,
      looks,
    }: { audience: ChannelAudience; visibilityDiff: VisibilityDiff; looks: Looks },
  ): Promise<void> {
    // Counting the subscribers takes long in large organizations, and new users have no clients.
    const shown = usersListen ? channels : channels.filter(({ id }) => createdIds.has(id))
    const described = await this.objects.describe(tx, shown)
    const objects = new Map(described.map((object) => [object.stream_id, object]))
    for (const channel of channels) {
      const observers = before.observers(channel)
      const users = added.get(channel.id) ?? []
      const newToIt = usersListen ? users.filter((userId) => !observers.has(userId)) : []
      const isCreated = createdIds.has(channel.id)
      if (!isCreated && newToIt.length === 0) continue
      const object = present(objects.get(channel.id), 'the description of each channel')
      // Clients add the subscribers of the events that follow to the count.
      const streams = [{ ...object, subscriber_count: object.subscriber_count - users.length }]
      const audience = isCreated ? observers.and(newToIt) : { userIds: newToIt }
      tx.emit(channelsCreated(audience, { streams }))
    }
    if (usersListen) {
      await this.#emitToSubscribers(tx, channels, added, { audience: before, objects, looks })
    }
    await this.visibility.sendGained(tx, visibilityDiff, usersListen ? [] : userIds)
    emitToPeers(tx, channels, added, before, peersAdded)
  }

  async #emitToSubscribers(
    tx: Transaction,
    channels: readonly ChannelRow[],
    added: ReadonlyMap<number, number[]>,
    {
      audience: before,
      objects,
      looks,
    }: { audience: ChannelAudience; objects: ReadonlyMap<number, Channel>; looks: Looks },
  ): Promise<void> {
    const subscribers = new Map<number, number[]>()
    const yielder = new EventLoopYielder()
    for (const [channelId, users] of added) {
      if (yielder.isDue) await yielder.yield()
      subscribers.set(channelId, ascending([...before.subscribers(channelId), ...users]))
    }
    await emitPerUser(tx, channels, added, subscriptionsAdded, {
      lookOf: ({ id }, userId) => looks.get(id)?.get(userId),
      describe: ({ id }, look) => ({
        ...present(objects.get(id), 'the description of each channel'),
        ...look,
        subscribers: subscribers.get(id),
      }),
    })
  }

  /**
   * The personal settings of subscriptions that have become active. Only those that were active
   * before are read: there may be a hundred thousand others.
   */
  async #looks(
    tx: Transaction,
    first: readonly ColoredUsers[],
    again: readonly ChannelUsers[],
  ): Promise<Looks> {
    const looks = new Map<number, Map<number, PersonalProperties>>()
    const known = new Map<string, PersonalProperties>()
    const add = (channelId: number, userId: number, settings: PersonalSettings): void => {
      const key = personalColumns.map((column) => settings[column]).join()
      let look = known.get(key)
      if (look === undefined) known.set(key, (look = personalFields(settings)))
      const ofChannel = looks.get(channelId)
      if (ofChannel === undefined) looks.set(channelId, new Map([[userId, look]]))
      else ofChannel.set(userId, look)
    }
    for (const { channelId, userIds, color } of first) {
      const settings = { ...firstSettings, color }
      await forEachInSlices(userIds, (userId) => add(channelId, userId, settings))
    }
    const returned = await this.subscriptions.listPersonal(tx, again)
    await forEachInSlices(returned, (row) => add(row.channel_id, row.user_id, row))
    return looks
  }
}

/** Equal personal settings are the same object; by channel and user. */
type Looks = ReadonlyMap<number, ReadonlyMap<number, PersonalProperties>>

function ascending(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b)
}

/** Adds the users to the audit trail, except the caller. @param users their ids, by channel. */
export async function auditSubscribers(
  tx: Transaction,
  action: 'channel.subscriber_added' | 'channel.subscriber_removed',
  users: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const callerId = tx.caller?.userId
  for (const [objectId, userIds] of users) {
    await forEachInSlices(userIds, (userId) => {
      if (userId !== callerId) tx.audit({ action, objectId, userId })
    })
  }
}
