import { mentionFlags, MessageFlag } from '../../../domain/messages/message-flags.js'
import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'

/**
 * A user with devices, or who may get mails, who has not read a message, and the columns that decide on a notification.
 */
export interface PushRecipientRow {
  message_id: number
  /** Null for direct messages. */
  channel_id: number | null
  user_id: number
  flags: number
  /** JSON. */
  settings: UserSettingsJson
  /** Null without a subscription; also the next two columns. */
  is_muted: boolean | null
  push_notifications: boolean | null
  email_notifications: boolean | null
  wildcard_mentions_notify: boolean | null
  visibility_policy: number | null
  /** As it is stored. */
  active_at_seconds: number | null
  /** Whether a client of the user shows new messages. */
  shows_messages: boolean
  has_devices: boolean
  has_tokens: boolean
  was_pushed: boolean
  was_mailed: boolean
}

/** The user messages to read. */
export interface PushRecipientRange {
  readonly messageIds: readonly number[]
  /** All users, if undefined. */
  readonly userIds?: readonly number[]
  /** Whether a notification of the message was already sent. */
  readonly wasPushed: boolean
  /** Whether users without devices are listed too, because they may get mails. */
  readonly withMails?: boolean
}

@perServer()
export class PushRecipientRepository {
  /** The users who can be notified and have not read a message that may trigger a notification. */
  async list(scope: OrganizationScope, range: PushRecipientRange): Promise<PushRecipientRow[]> {
    const { messageIds, userIds, withMails = false } = range
    if (messageIds.length === 0 || userIds?.length === 0) return []
    const { organizationId } = scope
    const table = (name: Parameters<typeof scope.table>[0]) => scope.table(name)
    const hasDevices = `EXISTS (SELECT 1 FROM ${table('push_devices')} d
      WHERE d.user_id = um.user_id AND d.relay_device_id IS NOT NULL)`
    const hasTokens = `EXISTS (SELECT 1 FROM ${table('push_tokens')} t
      WHERE t.user_id = um.user_id)`
    // Filters in SQL, so that the settings of unaffected channel subscribers are not read.
    const isConcerned = `(m.channel_id IS NULL OR (um.flags & ${mentionFlags}) <> 0
      OR ut.visibility_policy = 3 OR s.push_notifications = TRUE
      OR (s.push_notifications IS NULL
        AND u.settings LIKE '%"enable_stream_push_notifications":true%')${
          withMails
            ? ` OR s.email_notifications = TRUE OR (s.email_notifications IS NULL
        AND u.settings LIKE '%"enable_stream_email_notifications":true%')`
            : ''
        })`
    const wasPushed = `EXISTS (SELECT 1 FROM ${table('pushed_messages')} pm
      WHERE pm.user_id = um.user_id AND pm.message_id = um.message_id)`
    const wasMailed = withMails
      ? `EXISTS (SELECT 1 FROM ${table('mail_notifications')} mn
      WHERE mn.user_id = um.user_id AND mn.message_id = um.message_id)`
      : 'TRUE'
    const isReachable = range.wasPushed
      ? `${wasPushed} AND (${hasDevices} OR ${hasTokens})`
      : `((NOT ${wasPushed} AND (${hasDevices} OR ${hasTokens}))
           ${withMails ? `OR NOT ${wasMailed}` : ''})`
    return scope.raw<PushRecipientRow>(
      `SELECT um.message_id, m.channel_id, um.user_id, um.flags, u.settings, s.is_muted,
         s.push_notifications, s.email_notifications, s.wildcard_mentions_notify, ut.visibility_policy,
         p.active_at_seconds, EXISTS (SELECT 1 FROM ${table('event_queues')} q
           WHERE q.organization_id = ? AND q.user_id = um.user_id AND q.takes_messages = ?)
           AS shows_messages,
         ${hasDevices} AS has_devices, ${hasTokens} AS has_tokens,
         ${wasPushed} AS was_pushed, ${wasMailed} AS was_mailed
       FROM ${table('messages')} m
       JOIN ${table('user_messages')} um ON um.message_id = m.id
       JOIN ${table('users')} u ON u.id = um.user_id AND u.is_active = ? AND u.is_bot = ?
       LEFT JOIN ${table('subscriptions')} s
         ON s.user_id = um.user_id AND s.channel_id = m.channel_id AND s.is_active = ?
       LEFT JOIN ${table('user_topics')} ut
         ON ut.user_id = um.user_id AND ut.channel_id = m.channel_id
           AND ut.topic_key = m.topic_key
       LEFT JOIN ${table('presences')} p ON p.user_id = um.user_id
       WHERE m.organization_id = ? AND m.id IN (${idList(messageIds)})
         AND um.organization_id = ? AND um.user_id <> m.sender_id
         ${userIds === undefined ? '' : `AND um.user_id IN (${idList(userIds)})`}
         AND (um.flags & ${MessageFlag.read}) = 0 AND ${range.wasPushed ? '1 = 1' : isConcerned}
         AND ${isReachable}
       ORDER BY um.message_id, um.user_id`,
      [organizationId, true, true, false, true, organizationId, organizationId],
      { booleans: ['shows_messages', 'has_devices', 'has_tokens', 'was_pushed', 'was_mailed'] },
    )
  }

  /** The users whose user message has any mention flag. */
  async listMentioned(scope: OrganizationScope, messageId: number): Promise<number[]> {
    const rows = await scope
      .query('user_messages')
      .where({ message_id: messageId })
      .whereRaw(`(flags & ${mentionFlags}) <> 0`)
      .select<{ user_id: number }[]>('user_id')
    return rows.map((row) => row.user_id)
  }

  /** The users, among those given, whose devices may show a message. */
  async listPushed(
    scope: OrganizationScope,
    messageId: number,
    userIds: readonly number[],
  ): Promise<number[]> {
    const rows = await scope
      .query('pushed_messages')
      .whereRaw(`message_id = ? AND user_id IN (${idList(userIds)})`, [messageId])
      .select<{ user_id: number }[]>('user_id')
    return rows.map((row) => row.user_id)
  }

  /** The newest `limit` messages that were sent after an entry of the event log. */
  async listSentAfter(
    scope: OrganizationScope,
    seq: number,
    limit: number,
  ): Promise<{ seq: number; messageId: number }[]> {
    const rows = await scope
      .query('events')
      .where('seq', '>', seq)
      .where({ kind: 'message' })
      .orderBy('seq', 'desc')
      .limit(limit)
      .select<{ seq: number; message_id: number | string }[]>(
        'seq',
        scope.executor.raw(
          `${scope.dialect.sql.jsonNumber('data', 'message', 'id')} AS message_id`,
        ),
      )
    return rows.map((row) => ({ seq: row.seq, messageId: Number(row.message_id) }))
  }

  /** Takes an exclusive lock on the messages until the transaction ends. */
  async lockMessages(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx.dialect.lockForUpdate(
      tx
        .query('messages')
        .whereRaw(`id IN (${idList(messageIds)})`)
        .select('id'),
    )
  }
}
