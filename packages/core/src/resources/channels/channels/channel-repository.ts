import { foldCase } from '../../../domain/texts/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { idList, Transaction, type NewRow, type OrganizationScope } from '../../../storage/index.js'
import {
  columnsOfChannels,
  joinedColumns,
  type ChannelForSender,
  type ChannelForUser,
  type JoinedRow,
} from './channel-rows.js'
import { channels, type ChannelRow } from './channels-table.js'

type SenderRow = JoinedRow & {
  topic_policy: number | null
  topic_has_messages: boolean
  member_audience_id: number | null
}

/** The boolean columns of the queries below that are renamed or computed. */
const joinedBooleans = ['subscription_is_active', 'subscription_is_muted', 'topic_has_messages']

@perServer()
export class ChannelRepository {
  /** The number of channels of the organization, including archived ones. */
  async count(scope: OrganizationScope): Promise<number> {
    return scope.rows(channels).count()
  }

  /** The bytes of the descriptions of all channels, as text and as HTML. */
  async descriptionBytes(scope: OrganizationScope): Promise<number> {
    return (await scope.rows(channels).size({}, ['description', 'rendered_description'])).bytes
  }

  async find(scope: OrganizationScope, id: number): Promise<ChannelRow | undefined> {
    return scope.rows(channels).find({ id })
  }

  /** In a transaction, takes a shared lock: subscription changes cannot commit before it ends. */
  async findForUser(
    scope: OrganizationScope,
    by: { readonly id: number } | { readonly name: string },
    userId: number,
  ): Promise<ChannelForUser | undefined> {
    const row = await this.#named(scope, by, userId).first<JoinedRow | undefined>()
    return row === undefined ? undefined : forUserOf(row)
  }

  /**
   * Like {@link findForUser}, with data about the topic. A single query, which every send waits
   * for.
   */
  async findForSender(
    scope: OrganizationScope,
    by: { readonly id: number } | { readonly name: string },
    userId: number,
    topicKey: string,
  ): Promise<ChannelForSender | undefined> {
    const ofTopic = 'channel_id = c.id AND topic_key = ?'
    const row = await this.#named(scope, by, userId)
      .select(
        scope.executor.raw(
          `(SELECT visibility_policy FROM ?? WHERE user_id = ? AND ${ofTopic}) AS topic_policy`,
          [scope.table('user_topics'), userId, topicKey],
        ),
        scope.executor.raw(`EXISTS (SELECT 1 FROM ?? WHERE ${ofTopic}) AS topic_has_messages`, [
          scope.table('messages'),
          topicKey,
        ]),
        scope.executor.raw(
          '(SELECT member_audience_id FROM ?? WHERE id = ?) AS member_audience_id',
          [scope.table('organizations'), scope.organizationId],
        ),
      )
      .first<SenderRow | undefined>()
    if (row === undefined) return undefined
    return {
      ...forUserOf(row),
      memberAudienceId: row.member_audience_id,
      topic: {
        visibilityPolicy: row.topic_policy ?? 0,
        hasMessages: row.topic_has_messages,
      },
    }
  }

  async listForUser(scope: OrganizationScope, userId: number): Promise<ChannelForUser[]> {
    // The names of the columns are those of two tables otherwise.
    const found = scope.executor.from(this.#forUser(scope, userId).as('found')).orderBy('id')
    const rows = await scope.listRows<JoinedRow>(found, joinedColumns, {
      booleans: joinedBooleans,
    })
    return rows.map(forUserOf)
  }

  /** The version of every channel. */
  async listVersions(scope: OrganizationScope): Promise<Pick<ChannelRow, 'id' | 'version'>[]> {
    type Version = Pick<ChannelRow, 'id' | 'version'>
    return scope.listRows<Version>(scope.query('channels'), ['id', 'version'])
  }

  /** The channels among the ids, of which there may be thousands. */
  async findAmong(scope: OrganizationScope, ids: readonly number[]): Promise<ChannelRow[]> {
    if (ids.length === 0) return []
    const found = scope.query('channels').whereRaw(`id IN (${idList(ids)})`)
    return scope.listRows<ChannelRow>(found, columnsOfChannels)
  }

  async findManyForUser(
    scope: OrganizationScope,
    ids: readonly number[],
    userId: number,
  ): Promise<ChannelForUser[]> {
    if (ids.length === 0) return []
    const rows = await this.#forUser(scope, userId).whereIn('c.id', [...ids])
    return rows.map(forUserOf)
  }

  /** The names of channels by id. */
  async namesOf(scope: OrganizationScope, ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map()
    const rows = await scope
      .query('channels')
      .whereIn('id', [...ids])
      .select<Pick<ChannelRow, 'id' | 'name'>[]>('id', 'name')
    return new Map(rows.map(({ id, name }) => [id, name]))
  }

  async findManyByName(
    scope: OrganizationScope,
    names: readonly string[],
    userId: number,
  ): Promise<ChannelForUser[]> {
    if (names.length === 0) return []
    const keys = names.map(foldCase)
    const rows = await this.#forUser(scope, userId).whereIn('c.name_key', keys)
    return rows.map(forUserOf)
  }

  async update(tx: Transaction, id: number, changes: Partial<ChannelRow>): Promise<void> {
    await tx.query('channels').where({ id }).update(changes).increment('version')
  }

  /** The users who receive the channel's messages, ascending. */
  async listReceiverIds(scope: OrganizationScope, channelId: number): Promise<number[]> {
    const query = scope
      .query('subscriptions')
      .where({ channel_id: channelId, is_active: true, is_user_active: true })
      .orderBy('user_id')
    const rows = await scope.listRows<{ user_id: number }>(query, ['user_id'])
    return rows.map((row) => row.user_id)
  }

  async countReceivers(scope: OrganizationScope, channelId: number): Promise<number> {
    const row = await scope
      .query('subscriptions')
      .where({ channel_id: channelId, is_active: true, is_user_active: true })
      .count('* as receivers')
      .first<{ receivers: number | string }>()
    return Number(row.receivers)
  }

  /**
   * The channels with these names, and the user's subscriptions to them; locked until `tx` ends.
   */
  async lockManyByName(
    tx: Transaction,
    names: readonly string[],
    userId: number,
  ): Promise<ChannelForUser[]> {
    if (names.length === 0) return []
    const query = this.#forUser(tx, userId)
      .whereIn('c.name_key', names.map(foldCase))
      .orderBy('c.id')
    return (await tx.dialect.lockForUpdate(query, 'c')).map(forUserOf)
  }

  /** The channel, and the user's subscription to it; locked against changes until `tx` ends. */
  async lockForUser(
    tx: Transaction,
    id: number,
    userId: number,
  ): Promise<ChannelForUser | undefined> {
    const query = this.#forUser(tx, userId).where('c.id', id)
    const [row] = await tx.dialect.lockForUpdate(query, 'c')
    return row === undefined ? undefined : forUserOf(row)
  }

  async findMany(scope: OrganizationScope, ids: readonly number[]): Promise<ChannelRow[]> {
    return scope.rows(channels).list({ id: ids }, 'id')
  }

  /** Every private channel, ascending. */
  async listPrivate(scope: OrganizationScope): Promise<ChannelRow[]> {
    return scope.rows(channels).list({ is_private: true }, 'id')
  }

  /** The active channels that new users are subscribed to, ascending. */
  async listDefault(scope: OrganizationScope): Promise<ChannelRow[]> {
    return scope.rows(channels).list({ is_default: true, is_archived: false }, 'id')
  }

  /**
   * Stores new channels and their recipients, in a constant number of statements.
   *
   * @returns their rows, ascending.
   */
  async insertMany(
    tx: Transaction,
    rows: readonly Omit<NewRow<ChannelRow>, 'recipient_id'>[],
  ): Promise<ChannelRow[]> {
    if (rows.length === 0) return []
    await tx.rows(channels).insertMany(rows.map((row) => ({ ...row, recipient_id: 0 })))
    const keys = rows.map((row) => row.name_key)
    const stored = await tx
      .query('channels')
      .whereIn('name_key', keys)
      .orderBy('id')
      .select<ChannelRow[]>('*')
    const ids = stored.map(({ id }) => id)
    await tx.insert(
      'recipients',
      ids.map((channel_id) => ({ channel_id, members_hash: null })),
    )
    const recipients = await tx
      .query('recipients')
      .whereIn('channel_id', ids)
      .select<{ id: number; channel_id: number }[]>('id', 'channel_id')
    const recipientIds = new Map(recipients.map((row) => [row.channel_id, row.id]))
    const [channelTable, recipientTable] = [tx.table('channels'), tx.table('recipients')]
    await tx.raw(
      `UPDATE ?? SET recipient_id = (SELECT id FROM ?? WHERE channel_id = ??)
       WHERE organization_id = ? AND id IN (${ids.map(() => '?').join(',')})`,
      [channelTable, recipientTable, `${channelTable}.id`, tx.organizationId, ...ids],
    )
    return stored.map((row) => ({
      ...row,
      recipient_id: present(recipientIds.get(row.id), 'the recipient of each channel'),
    }))
  }

  #named(
    scope: OrganizationScope,
    by: { readonly id: number } | { readonly name: string },
    userId: number,
  ) {
    const query = this.#forUser(scope, userId)
    const named =
      'id' in by ? query.where('c.id', by.id) : query.where('c.name_key', foldCase(by.name))
    // Outside a transaction there is nothing to lock, and no reason to wait for a writer.
    return scope instanceof Transaction ? scope.dialect.lockShared(named, 'c') : named
  }

  #forUser(scope: OrganizationScope, userId: number) {
    return scope
      .queryAs('channels', 'c', { booleans: joinedBooleans })
      .leftJoin(scope.as('subscriptions', 's'), (join) => {
        join.on('s.channel_id', 'c.id').andOnVal('s.user_id', userId)
      })
      .select<JoinedRow[]>(
        'c.*',
        's.is_active as subscription_is_active',
        's.is_muted as subscription_is_muted',
      )
  }
}

function forUserOf(row: JoinedRow): ChannelForUser {
  const { subscription_is_active, subscription_is_muted } = row
  return {
    // Keeps the two joined columns: copying thousands of rows without them costs more.
    channel: row,
    isSubscribed: subscription_is_active === true,
    hasSubscription: subscription_is_active !== null,
    isMuted: subscription_is_active === true && subscription_is_muted === true,
  }
}
