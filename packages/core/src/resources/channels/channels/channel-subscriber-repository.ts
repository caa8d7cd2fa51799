import { Role } from '../../../domain/users/actor.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'

interface Subscriber {
  readonly channel_id: number
  readonly user_id: number
}

/** Looking at the clock takes longer than a row. */
const rowsPerCheck = 1000

const columns = ['channel_id', 'user_id'] as const

/** Subscribers of channels, for queries about many channels. */
@perServer()
export class ChannelSubscriberRepository {
  /** The active subscribers of each channel, ascending. */
  async listSubscriberIds(
    scope: OrganizationScope,
    channelIds: readonly number[],
  ): Promise<ReadonlyMap<number, number[]>> {
    const subscribers = new Map<number, number[]>()
    if (channelIds.length === 0) return subscribers
    const query = scope
      .query('subscriptions')
      .whereIn('channel_id', [...channelIds])
      .where({ is_active: true, is_user_active: true })
      .orderBy(['channel_id', 'user_id'])
    const yielder = new EventLoopYielder()
    for (const [index, row] of (await scope.listRows<Subscriber>(query, columns)).entries()) {
      if (index % rowsPerCheck === 0 && yielder.isDue) await yielder.yield()
      addTo(subscribers, row.channel_id, row.user_id)
    }
    return subscribers
  }

  /** The active subscribers of each channel who are guests, ascending. */
  async listGuestIds(
    scope: OrganizationScope,
    channelIds: readonly number[],
  ): Promise<ReadonlyMap<number, number[]>> {
    const guests = new Map<number, number[]>()
    if (channelIds.length === 0) return guests
    const isSubscribed = `s.user_id = u.id AND s.channel_id IN (${idList(channelIds)})
         AND s.is_active = TRUE AND s.is_user_active = TRUE`
    const rows = await scope.raw<Subscriber>(
      `SELECT s.channel_id, s.user_id
       FROM ?? u ${scope.orderedJoin('subscriptions', 's', isSubscribed)}
       WHERE u.organization_id = ? AND u.is_active = ? AND u.role = ?
       ORDER BY s.channel_id, s.user_id`,
      [scope.table('users'), scope.organizationId, true, Role.guest],
    )
    for (const { channel_id, user_id } of rows) addTo(guests, channel_id, user_id)
    return guests
  }

  /** The number of active subscribers of each channel that has any. */
  async countSubscribers(
    scope: OrganizationScope,
    channelIds: readonly number[],
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await scope
      .query('subscriptions')
      .whereIn('channel_id', [...channelIds])
      .where({ is_active: true, is_user_active: true })
      .groupBy('channel_id')
      .select('channel_id')
      .count<{ channel_id: number; subscribers: number | string }[]>('* as subscribers')
    return new Map(rows.map((row) => [row.channel_id, Number(row.subscribers)]))
  }

  /** The channels that the user is subscribed to. */
  async listChannelIds(scope: OrganizationScope, userId: number): Promise<number[]> {
    const query = scope.query('subscriptions').where({ user_id: userId, is_active: true })
    const rows = await scope.listRows<{ channel_id: number }>(query, ['channel_id'])
    return rows.map((row) => row.channel_id)
  }
}
