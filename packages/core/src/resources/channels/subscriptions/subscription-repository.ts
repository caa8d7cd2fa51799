import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import {
  newestMessageSql,
  notifiesSql,
  UnwrittenMessageRepository,
} from '../unwritten-messages/index.js'
import { subscriptions, type SubscriptionRow } from './subscriptions-table.js'

/** The personal settings of a subscription that are on or off. */
export const personalSwitches = [
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

/** The personal settings of a subscription. */
export const personalColumns = ['color', ...personalSwitches] as const

export type PersonalSettings = Pick<SubscriptionRow, (typeof personalColumns)[number]>
type PersonalRow = PersonalSettings & Pick<SubscriptionRow, 'channel_id' | 'user_id'>

/** The settings of a new subscription, apart from its color. */
export const firstSettings = {
  is_muted: false,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
} as const

/**
 * Users of one channel. With lists of these, the number of statements does not grow with the users.
 */
export interface ChannelUsers {
  readonly channelId: number
  readonly userIds: readonly number[]
}

/** Users of one channel who get the same color. */
export interface ColoredUsers extends ChannelUsers {
  readonly color: string
}

type SubscriptionState = Pick<SubscriptionRow, 'user_id' | 'channel_id' | 'is_active'>

@perServer()
export class SubscriptionRepository {
  constructor(
    @inject(UnwrittenMessageRepository)
    private readonly unwrittenMessages: UnwrittenMessageRepository,
  ) {}

  /** The personal settings of subscriptions, whether active or not. */
  async listPersonal(
    scope: OrganizationScope,
    groups: readonly ChannelUsers[],
  ): Promise<PersonalRow[]> {
    const nonEmpty = groups.filter(({ userIds }) => userIds.length > 0)
    if (nonEmpty.length === 0) return []
    const named = nonEmpty.map((group) => membership(group, 'channel_id', 'user_id')).join(' OR ')
    const query = scope.query('subscriptions').whereRaw(`(${named})`)
    return scope.listRows<PersonalRow>(query, ['channel_id', 'user_id', ...personalColumns])
  }

  /** The users' subscriptions to the channels; there may be a hundred thousand. */
  async listStatesOf(
    scope: OrganizationScope,
    userIds: readonly number[],
    channelIds: readonly number[],
  ): Promise<SubscriptionState[]> {
    if (userIds.length === 0 || channelIds.length === 0) return []
    const query = scope
      .query('subscriptions')
      .whereRaw(`user_id IN (${idList(userIds)}) AND channel_id IN (${idList(channelIds)})`)
    return scope.listRows<SubscriptionState>(query, ['user_id', 'channel_id', 'is_active'])
  }

  /** The colors of each user's subscriptions. */
  async listUsedColors(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<ReadonlyMap<number, Set<string>>> {
    const used = new Map<number, Set<string>>()
    if (userIds.length === 0) return used
    const rows = await scope
      .query('subscriptions')
      .whereRaw(`user_id IN (${idList(userIds)})`)
      .distinct<{ user_id: number; color: string }[]>('user_id', 'color')
    for (const { user_id, color } of rows) {
      const colors = used.get(user_id)
      if (colors === undefined) used.set(user_id, new Set([color]))
      else colors.add(color)
    }
    return used
  }

  async insert(
    tx: Transaction,
    rows: readonly Omit<SubscriptionRow, 'organization_id'>[],
  ): Promise<void> {
    await tx.rows(subscriptions).insertMany(rows)
  }

  /** Inserts first subscriptions, in one statement. */
  async insertMany(tx: Transaction, groups: readonly ColoredUsers[]): Promise<void> {
    const nonEmpty = groups.filter(({ userIds }) => userIds.length > 0)
    if (nonEmpty.length === 0) return
    const channelIds = [...new Set(nonEmpty.map(({ channelId }) => channelId))]
    const userIds = [...new Set(nonEmpty.flatMap((group) => group.userIds))]
    const colors = nonEmpty.map((group) => `WHEN ${membership(group, 'c.id', 'u.id')} THEN ?`)
    await tx.raw(
      `INSERT INTO ?? (organization_id, channel_id, user_id, is_active, is_user_active,
         unwritten_after_message_id, color, is_muted, pin_to_top)
       SELECT ?, c.id, u.id, ?, u.is_active, ${unwrittenAfter(tx, 'u')},
         CASE ${colors.join(' ')} END, ?, ?
       FROM ?? c
       JOIN ?? u ON u.organization_id = c.organization_id
       WHERE c.organization_id = ? AND c.id IN (${idList(channelIds)})
         AND u.id IN (${idList(userIds)})
         AND (${nonEmpty.map((group) => membership(group, 'c.id', 'u.id')).join(' OR ')})`,
      [
        tx.table('subscriptions'),
        tx.organizationId,
        true,
        ...nonEmpty.map(({ color }) => color),
        false,
        false,
        tx.table('channels'),
        tx.table('users'),
        tx.organizationId,
      ],
    )
  }

  /** Deactivates or reactivates subscriptions, in one statement. */
  async setActive(
    tx: Transaction,
    groups: readonly ChannelUsers[],
    isActive: boolean,
  ): Promise<void> {
    const nonEmpty = groups.filter(({ userIds }) => userIds.length > 0)
    if (nonEmpty.length === 0) return
    const condition = `
      channel_id IN (${idList(nonEmpty.map(({ channelId }) => channelId))})
      AND user_id IN (${idList([...new Set(nonEmpty.flatMap(({ userIds }) => userIds))])})
      AND (${nonEmpty.map((group) => membership(group, 'channel_id', 'user_id')).join(' OR ')})`
    await this.#setReceiving(tx, 'is_active', isActive, condition)
  }

  /** Updates the copies of a user's `is_active`. */
  async setUserActive(tx: Transaction, userId: number, isActive: boolean): Promise<void> {
    await this.#setReceiving(tx, 'is_user_active', isActive, `user_id IN (${idList([userId])})`)
  }

  /** @param condition of the subscriptions, without texts from clients. */
  async #setReceiving(
    tx: Transaction,
    column: 'is_active' | 'is_user_active',
    isReceiving: boolean,
    condition: string,
  ): Promise<void> {
    const subscriptions = tx.table('subscriptions')
    if (isReceiving) {
      const other = column === 'is_active' ? 'is_user_active' : 'is_active'
      await tx.raw(
        `UPDATE ${subscriptions} SET ${column} = ?, unwritten_after_message_id = CASE
           WHEN ${other} = ? AND NOT ${notifiesSql(tx, subscriptions, `${subscriptions}.user_id`)}
           THEN ${newestMessageSql(tx)} END
         WHERE organization_id = ? AND ${column} = ? AND ${condition}`,
        [true, true, tx.organizationId, false],
      )
      return
    }
    // Messages of channels that users leave are read; see `LeftChannels`.
    await this.unwrittenMessages.closeIntervals(tx, condition, column === 'is_active')
    await tx.raw(
      `UPDATE ${subscriptions} SET ${column} = ?, unwritten_after_message_id = NULL
       WHERE organization_id = ? AND ${condition}`,
      [false, tx.organizationId],
    )
  }

  /**
   * Changes one personal setting of a user in several channels, each to its own value, in one
   * statement.
   */
  async updateMany(
    tx: Transaction,
    userId: number,
    column: keyof SubscriptionRow,
    valueByChannel: ReadonlyMap<number, boolean | string>,
  ): Promise<void> {
    const channelIds = [...valueByChannel.keys()]
    if (channelIds.length === 0) return
    const byValue = new Map<boolean | string, number[]>()
    for (const [channelId, value] of valueByChannel) {
      byValue.set(value, [...(byValue.get(value) ?? []), channelId])
    }
    const cases = [...byValue].map(([, ids]) => `WHEN channel_id IN (${idList(ids)}) THEN ?`)
    await tx.raw(
      `UPDATE ?? SET ?? = CASE ${cases.join(' ')} END
       WHERE organization_id = ? AND user_id = ? AND channel_id IN (${idList(channelIds)})`,
      [tx.table('subscriptions'), column, ...byValue.keys(), tx.organizationId, userId],
    )
  }
}

/** An SQL condition that matches the users of the channels. */
export function membership(
  { channelId, userIds }: ChannelUsers,
  channel: string,
  user: string,
): string {
  return `(${channel} = ${channelId} AND ${user} IN (${idList(userIds)}))`
}

/** SQL of `unwritten_after_message_id` of a new subscription. */
function unwrittenAfter(tx: Transaction, user: string): string {
  return `CASE WHEN ${user}.is_active AND NOT ${notifiesSql(tx, undefined, `${user}.id`)}
    THEN ${newestMessageSql(tx)} END`
}
