import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'
import type { NotifiedRecipient } from '../notified-recipients/index.js'

/** Where a message is, for its recipient. */
export type MailPlace = Pick<NotifiedRecipient, 'subscription' | 'topicPolicy'>

interface MailPlaceRow {
  message_id: number
  /** Null without a subscription; also the next three columns. */
  is_muted: boolean | null
  push_notifications: boolean | null
  email_notifications: boolean | null
  wildcard_mentions_notify: boolean | null
  visibility_policy: number | null
}

@perServer()
export class MailNotificationRepository {
  constructor(@inject(ClockToken) private readonly clock: Clock) {}

  /** When the next mail to each of the users is due, if they have one. */
  async listNextDue(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await scope
      .query('mail_notifications')
      // Not bound: SQLite binds 32,766 values at most.
      .whereRaw(`user_id IN (${idList(userIds)})`)
      .whereNull('mail_id')
      .where('attempts', 0)
      .groupBy('user_id')
      .select<{ user_id: number; next: number | string }[]>(
        'user_id',
        scope.executor.raw('MIN(due_at_seconds) AS next'),
      )
    return new Map(rows.map(({ user_id, next }) => [user_id, Number(next)]))
  }

  /** The due rows of the same user as a row, oldest message first. */
  async listDueWith(scope: OrganizationScope, id: number, limit: number): Promise<number[]> {
    const rows = await scope
      .query('mail_notifications')
      .where('due_at_seconds', '<=', nowSeconds(this.clock))
      .whereRaw('user_id = (SELECT user_id FROM ?? WHERE id = ?)', [
        scope.table('mail_notifications'),
        id,
      ])
      .orderBy('message_id')
      .limit(limit)
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }

  /**
   * The facts that decide on mails about messages besides the user and the user's flags: the
   * subscriptions to their channels and the policies for their topics, which have other owners.
   */
  async listPlaces(
    scope: OrganizationScope,
    userId: number,
    messageIds: readonly number[],
  ): Promise<ReadonlyMap<number, MailPlace>> {
    const rows = await scope.raw<MailPlaceRow>(
      `SELECT m.id AS message_id, s.is_muted, s.push_notifications, s.email_notifications,
         s.wildcard_mentions_notify, ut.visibility_policy
       FROM ${scope.table('messages')} m
       LEFT JOIN ${scope.table('subscriptions')} s
         ON s.user_id = ? AND s.channel_id = m.channel_id AND s.is_active = ?
       LEFT JOIN ${scope.table('user_topics')} ut
         ON ut.user_id = ? AND ut.channel_id = m.channel_id AND ut.topic_key = m.topic_key
       WHERE m.organization_id = ? AND m.id IN (${idList(messageIds)})`,
      [userId, true, userId, scope.organizationId],
    )
    return new Map(
      rows.map((row) => [
        row.message_id,
        {
          topicPolicy: row.visibility_policy ?? 0,
          subscription:
            row.is_muted === null
              ? undefined
              : {
                  isMuted: row.is_muted,
                  pushNotifications: row.push_notifications,
                  emailNotifications: row.email_notifications,
                  wildcardMentionsNotify: row.wildcard_mentions_notify,
                },
        },
      ]),
    )
  }

  /** The number of mails that were sent to a user, by the time until which their rows are kept. */
  async countSent(scope: OrganizationScope, userId: number, keptAfter: number): Promise<number> {
    const [row] = await scope
      .query('mail_notifications')
      .where({ user_id: userId })
      .whereNotNull('mail_id')
      .where('due_at_seconds', '>', keptAfter)
      .countDistinct<{ count: number | string }[]>('mail_id as count')
    return Number(row?.count ?? 0)
  }
}
