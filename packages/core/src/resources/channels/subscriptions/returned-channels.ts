import { groupBy } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { channelsCreated, type Channel, type ChannelObservers } from '../channels/index.js'
import { peersAdded, subscriptionsAdded } from './subscription-events.js'
import { personalFields } from './subscription-objects.js'
import { subscriptions } from './subscriptions-table.js'

/**
 * Sends events for an unarchived channel and its subscribers to clients that treat archived
 * channels as deleted.
 */
@perServer()
export class ReturnedChannels {
  /**
   * @param observers the users who can see the channel now.
   * @param exceptIds those among them who already got an event about a new channel.
   */
  async announce(
    tx: Transaction,
    channel: Channel,
    observers: ChannelObservers,
    exceptIds: readonly number[],
  ): Promise<void> {
    const isUnarchived = true
    // Clients add the subscribers of the events that follow to the count.
    const streams = [{ ...channel, subscriber_count: 0 }]
    tx.emit(channelsCreated(observers.without(exceptIds), { streams, isUnarchived }))
    const rows = await tx
      .rows(subscriptions)
      .list({ channel_id: channel.stream_id, is_active: true, is_user_active: true }, 'user_id')
    if (rows.length === 0) return
    const subscribers = rows.map((row) => row.user_id)
    const alike = groupBy(rows, (row) => JSON.stringify(personalFields(row)))
    const groups = [...alike.values()].map((own) => ({
      userIds: own.map((row) => row.user_id),
      fields: { subscriptions: [{ ...channel, ...personalFields(own[0]), subscribers }] },
    }))
    const mark = { isOfArchived: false, isUnarchived }
    tx.emit(subscriptionsAdded({ userIds: subscribers }, mark, groups))
    const others = observers.without([...exceptIds, ...subscribers])
    const data = { stream_ids: [channel.stream_id], user_ids: subscribers, isUnarchived }
    tx.emit(peersAdded(others, data))
  }
}
