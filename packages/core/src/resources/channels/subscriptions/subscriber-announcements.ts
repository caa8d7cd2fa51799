import type { Audience, RecipientGroup } from '../../../events/event.js'
import { forEachInSlices } from '../../../kernel/event-loop-yielder.js'
import { addTo } from '../../../kernel/grouping.js'
import type { Transaction } from '../../../storage/index.js'
import {
  channelsCreated,
  type Channel,
  type ChannelAudience,
  type ChannelRow,
} from '../channels/index.js'
import { peersAdded, type subscriptionsAdded } from './subscription-events.js'

/**
 * Emits one event for all users; users whose subscriptions look the same share a recipient group.
 */
export async function emitPerUser<Look>(
  tx: Transaction,
  channels: readonly ChannelRow[],
  changed: ReadonlyMap<number, readonly number[]>,
  event: typeof subscriptionsAdded,
  subscription: {
    /** How the user's subscription to the channel looks: the same object for all that are equal. */
    lookOf(channel: ChannelRow, userId: number): Look
    describe(channel: ChannelRow, look: Look): object
  },
): Promise<void> {
  for (const isOfArchived of [false, true]) {
    // Users with the same subscriptions have the same list.
    const listOf = new Map<number, readonly object[]>()
    for (const channel of channels) {
      if (channel.is_archived !== isOfArchived) continue
      const longer = new Map<readonly object[], Map<Look, readonly object[]>>()
      await forEachInSlices(changed.get(channel.id) ?? [], (userId) => {
        const list = listOf.get(userId) ?? noSubscriptions
        let byLook = longer.get(list)
        if (byLook === undefined) longer.set(list, (byLook = new Map()))
        const look = subscription.lookOf(channel, userId)
        let longerList = byLook.get(look)
        if (longerList === undefined) {
          longerList = [...list, subscription.describe(channel, look)]
          byLook.set(look, longerList)
        }
        listOf.set(userId, longerList)
      })
    }
    if (listOf.size === 0) continue
    const usersOf = new Map<readonly object[], number[]>()
    await forEachInSlices(listOf, ([userId, list]) => addTo(usersOf, list, userId))
    const recipients = [...usersOf].map(([subscriptions, userIds]): RecipientGroup => ({
      userIds,
      fields: { subscriptions },
    }))
    tx.emit(
      event({ userIds: [...listOf.keys()].sort((a, b) => a - b) }, { isOfArchived }, recipients),
    )
  }
}

const noSubscriptions: readonly object[] = []

/** Emits one event for all channels with the same changed users and the same observers. */
export function emitToPeers(
  tx: Transaction,
  channels: readonly ChannelRow[],
  changed: ReadonlyMap<number, readonly number[]>,
  audience: ChannelAudience,
  event: typeof peersAdded,
): void {
  const merged = new Map<string, { channel: ChannelRow; channelIds: number[] }>()
  for (const channel of channels) {
    const users = changed.get(channel.id)
    if (users === undefined) continue
    const key = `${users.join(',')}/${audience.observers(channel).key}/${channel.is_archived}`
    const known = merged.get(key)
    if (known === undefined) merged.set(key, { channel, channelIds: [channel.id] })
    else known.channelIds.push(channel.id)
  }
  for (const { channel, channelIds } of merged.values()) {
    const users = changed.get(channel.id) ?? []
    const data = { stream_ids: channelIds, user_ids: [...users], ...markOf(channel) }
    tx.emit(event(audience.observers(channel).without(users), data))
  }
}

/**
 * Sends users events for channels that they can newly see: first the channels, then their
 * subscribers.
 */
export function emitNewlyVisible(
  tx: Transaction,
  recipients: Audience,
  channels: readonly Channel[],
  subscribersOf: (channelId: number) => readonly number[],
): void {
  if (channels.length === 0) return
  // Clients add the subscribers of the events that follow to the count.
  const streams = channels.map((channel) => ({ ...channel, subscriber_count: 0 }))
  tx.emit(channelsCreated(recipients, { streams }))
  const merged = new Map<string, { stream_ids: number[]; user_ids: number[] }>()
  for (const channel of channels) {
    const { stream_id } = channel
    const user_ids = [...subscribersOf(stream_id)]
    if (user_ids.length === 0) continue
    const key = `${user_ids.join(',')}/${channel.is_archived}`
    const known = merged.get(key)
    if (known !== undefined) known.stream_ids.push(stream_id)
    else merged.set(key, { stream_ids: [stream_id], user_ids, ...markOf(channel) })
  }
  for (const data of merged.values()) tx.emit(peersAdded(recipients, data))
}

/**
 * Events about subscribers of archived channels are not sent to clients without support for those.
 */
function markOf({ is_archived }: Pick<ChannelRow, 'is_archived'>): { isOfArchived?: true } {
  return is_archived ? { isOfArchived: true } : {}
}
