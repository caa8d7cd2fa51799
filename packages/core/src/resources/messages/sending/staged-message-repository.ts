import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { idList, Transaction, type NewRow, type OrganizationScope } from '../../../storage/index.js'
import type { ChannelRow } from '../../channels/channels/index.js'
import { TopicVisibility } from '../../channels/topics/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import type { NewUserMessage } from '../objects/index.js'
import { SearchIndex } from '../search-index/index.js'
import type { FlagGroup } from './user-message-flags.js'

/** Stores several messages at once; the number of statements does not depend on their number. */
@perServer()
export class StagedMessageRepository {
  constructor(@inject(SearchIndex) private readonly words: SearchIndex) {}

  /** The channels. A transaction locks them, so that their subscriptions cannot change. */
  async findChannels(scope: OrganizationScope, ids: readonly number[]): Promise<ChannelRow[]> {
    if (ids.length === 0) return []
    const query = scope
      .query('channels')
      .whereIn('id', [...ids])
      .orderBy('id')
      .select<ChannelRow[]>('*')
    return scope instanceof Transaction ? scope.dialect.lockShared(query) : query
  }

  /**
   * Inserts messages. Their ids are in the order of commits, because clients fetch messages
   * after an id: no other transaction inserts messages of the organization at the same time.
   *
   * @returns the ids, in the order of the rows.
   */
  async insert(tx: Transaction, rows: readonly NewRow<MessageRow>[]): Promise<number[]> {
    const ids = await tx.insertAll('messages', rows)
    await this.words.insert(
      tx,
      rows.map((row, index) => ({ ...row, id: present(ids[index], 'the id of each message') })),
    )
    return ids
  }

  /**
   * Inserts user messages for those receivers of the messages' channels who have flags of their own,
   * or whom each message of the channel or topic notifies; see `UnwrittenMessages`.
   */
  async insertChannelUserMessages(
    tx: Transaction,
    messageIds: readonly number[],
    groups: readonly FlagGroup[],
  ): Promise<void> {
    if (messageIds.length === 0) return
    const flags = flagsExpression('r.user_id', groups)
    const messages = idsFragment(messageIds)
    const receivers = (from: string, condition: string): SqlFragment => ({
      sql: `SELECT m.organization_id, r.user_id, m.id, ${flags.sql}
        FROM ${tx.table('messages')} m
        ${from}
        WHERE m.organization_id = ? AND m.id IN (${messages.sql})
          AND r.is_active = TRUE AND r.is_user_active = TRUE AND ${condition}`,
      bindings: [...flags.bindings, tx.organizationId, ...messages.bindings],
    })
    const subscriptions = tx.table('subscriptions')
    const ofChannel = `JOIN ${subscriptions} r ON r.channel_id = m.channel_id`
    const isUnwritten = 'r.unwritten_after_message_id IS NOT NULL'
    const listedIds = [...new Set(groups.flatMap(({ userIds = [] }) => userIds))]
    const parts = [
      // Followers of the topic get notifications.
      receivers(
        `JOIN ${tx.table('user_topics')} t
           ON t.channel_id = m.channel_id AND t.topic_key = m.topic_key
             AND t.visibility_policy = ${TopicVisibility.followed}
         ${tx.orderedJoin('subscriptions', 'r', 'r.user_id = t.user_id AND r.channel_id = m.channel_id')}`,
        isUnwritten,
      ),
      ...(listedIds.length === 0
        ? []
        : [receivers(ofChannel, `r.user_id IN (${idList(listedIds)}) AND ${isUnwritten}`)]),
    ]
    const notified = receivers(ofChannel, 'r.unwritten_after_message_id IS NULL')
    await tx.raw(
      `INSERT INTO ${tx.table('user_messages')} (organization_id, user_id, message_id, flags)
       ${parts.map(({ sql }) => sql).join(' UNION ')} UNION ALL ${notified.sql}`,
      [...parts.flatMap(({ bindings }) => bindings), ...notified.bindings],
    )
  }

  /** Inserts user messages for the active participants of the messages' conversations. */
  async insertDirectUserMessages(
    tx: Transaction,
    messageIds: readonly number[],
    groups: readonly FlagGroup[],
  ): Promise<void> {
    if (messageIds.length === 0) return
    const flags = flagsExpression('r.user_id', groups)
    const ids = idsFragment(messageIds)
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, message_id, flags)
       SELECT m.organization_id, r.user_id, m.id, ${flags.sql}
       FROM ?? m
       JOIN ?? r ON r.recipient_id = m.recipient_id
       JOIN ?? u ON u.id = r.user_id AND u.is_active = ?
       WHERE m.organization_id = ? AND m.id IN (${ids.sql})`,
      [
        tx.table('user_messages'),
        ...flags.bindings,
        tx.table('messages'),
        tx.table('recipient_members'),
        tx.table('users'),
        true,
        tx.organizationId,
        ...ids.bindings,
      ],
    )
  }

  /** Inserts single user messages. */
  async insertUserMessages(tx: Transaction, rows: readonly NewUserMessage[]): Promise<void> {
    await tx.insert('user_messages', rows)
  }

  /** Sets the first messages of channels, by channel id. */
  async setFirstMessages(tx: Transaction, first: ReadonlyMap<number, number>): Promise<void> {
    if (first.size === 0) return
    const cases = [...first].map(([channelId, id]) => `WHEN ${channelId} THEN ${id}`).join(' ')
    await tx
      .query('channels')
      .whereIn('id', [...first.keys()])
      // An earlier message may have committed since the channel was read.
      .whereNull('first_message_id')
      .update({ first_message_id: tx.executor.raw(`CASE id ${cases} END`) })
      .increment('version')
  }
}

interface SqlFragment {
  readonly sql: string
  readonly bindings: readonly number[]
}

/** SQL of the flags of each user message. */
function flagsExpression(userColumn: string, groups: readonly FlagGroup[]): SqlFragment {
  if (groups.length === 0) return { sql: '0', bindings: [] }
  const bindings: number[] = []
  const cases = groups.map(({ messageIds, userIds, mask }) => {
    const ids = idsFragment(messageIds)
    bindings.push(...ids.bindings, mask)
    // Ids of users, never strings from a client, are inlined without placeholders.
    const isUser = userIds === undefined ? '' : ` AND ${userColumn} IN (${idList(userIds)})`
    return `WHEN m.id IN (${ids.sql})${isUser} THEN ?`
  })
  return { sql: `CASE ${cases.join(' ')} ELSE 0 END`, bindings }
}

/**
 * A list of ids from the database. One id is a placeholder, so that its statement is found in the
 * cache of prepared statements; more could exceed the number of placeholders.
 */
function idsFragment(ids: readonly number[]): SqlFragment {
  return ids.length === 1 ? { sql: '?', bindings: ids } : { sql: idList(ids), bindings: [] }
}
