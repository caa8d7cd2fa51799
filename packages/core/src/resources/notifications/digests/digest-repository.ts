import type { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { MissedRow } from './missed-topics.js'
import { digests, type DigestRow } from './digests-table.js'

/** A user whose digest may be due. */
export interface DigestCandidate {
  readonly id: number
  readonly timezone: string
}

/** A channel that was created while a user was away. */
export interface CreatedChannel {
  readonly id: number
  readonly name: string
}

@perServer()
export class DigestRepository {
  /**
   * Active human users of a role who have digests turned on, have no row, and were last active, or
   * have joined, before a moment; up to `limit` after `afterId`, ascending.
   */
  async listCandidates(
    scope: OrganizationScope,
    role: Role,
    awaySinceSeconds: number,
    afterId: number,
    limit: number,
  ): Promise<DigestCandidate[]> {
    return scope.raw<DigestCandidate>(
      `SELECT u.id, u.timezone
       FROM ${scope.table('users')} u
       LEFT JOIN ${scope.table('presences')} p ON p.user_id = u.id
       WHERE u.organization_id = ? AND u.is_active = ? AND u.role = ? AND u.id > ?
         AND u.is_bot = ? AND u.joined_at_milliseconds < ?
         AND (p.active_at_seconds IS NULL OR p.active_at_seconds < ?)
         AND u.settings NOT LIKE ?
         AND NOT EXISTS (SELECT 1 FROM ${scope.table('digests')} d WHERE d.user_id = u.id)
       ORDER BY u.id
       LIMIT ${limit}`,
      [
        scope.organizationId,
        true,
        role,
        afterId,
        false,
        awaySinceSeconds * 1000,
        awaySinceSeconds,
        '%"enable_digest_emails":false%',
      ],
    )
  }

  async insertMany(
    tx: Transaction,
    rows: readonly Pick<DigestRow, 'user_id' | 'day' | 'due_at_seconds'>[],
  ): Promise<void> {
    await tx
      .rows(digests)
      .insertMany(rows.map((row) => ({ ...row, attempts: 0, decided_at_seconds: null })))
  }

  /** When a user was last active; null if never. */
  async lastActiveSeconds(scope: OrganizationScope, userId: number): Promise<number | null> {
    const row = await scope
      .query('presences')
      .where({ user_id: userId })
      .first<{ active_at_seconds: number | null } | undefined>('active_at_seconds')
    return row?.active_at_seconds ?? null
  }

  /**
   * Policies for topics are 1 for muted, 2 for unmuted, 3 for followed.
   *
   * @returns unread messages since a moment in channels that a user has subscribed to, without muted ones,
   * muted topics and muted senders: the newest `limit`, newest first.
   */
  async listMissed(
    scope: OrganizationScope,
    userId: number,
    sinceSeconds: number,
    limit: number,
  ): Promise<MissedRow[]> {
    return scope.raw<MissedRow>(
      `SELECT m.id, m.sender_id, m.channel_id, m.topic_key,
         COALESCE(ut.visibility_policy, 0) AS policy
       FROM (
         SELECT unread_message_id AS id FROM ${scope.table('user_messages')}
         WHERE user_id = ? AND unread_message_id IS NOT NULL
         ORDER BY unread_message_id DESC LIMIT ${limit}
       ) n
       JOIN ${scope.table('messages')} m ON m.id = n.id
       JOIN ${scope.table('channels')} c ON c.id = m.channel_id AND c.is_archived = ?
       JOIN ${scope.table('subscriptions')} s
         ON s.user_id = ? AND s.channel_id = m.channel_id AND s.is_active = ?
       LEFT JOIN ${scope.table('user_topics')} ut
         ON ut.user_id = ? AND ut.channel_id = m.channel_id AND ut.topic_key = m.topic_key
       WHERE m.organization_id = ? AND m.sent_at_seconds >= ?
         AND (COALESCE(ut.visibility_policy, 0) IN (2, 3)
           OR (s.is_muted = ? AND COALESCE(ut.visibility_policy, 0) <> 1))
         AND NOT EXISTS (SELECT 1 FROM ${scope.table('muted_users')} mu
           WHERE mu.user_id = ? AND mu.muted_user_id = m.sender_id)
       ORDER BY m.id DESC`,
      [userId, false, userId, true, userId, scope.organizationId, sinceSeconds, false, userId],
    )
  }

  /** Public channels that were created since a moment and that a user does not subscribe to, newest first. */
  async listNewChannels(
    scope: OrganizationScope,
    userId: number,
    sinceSeconds: number,
    limit: number,
  ): Promise<CreatedChannel[]> {
    return scope.raw<CreatedChannel>(
      `SELECT c.id, c.name
       FROM ${scope.table('channels')} c
       LEFT JOIN ${scope.table('subscriptions')} s
         ON s.user_id = ? AND s.channel_id = c.id AND s.is_active = ?
       WHERE c.organization_id = ? AND c.created_at_seconds >= ?
         AND c.is_private = ? AND c.is_archived = ? AND s.user_id IS NULL
       ORDER BY c.created_at_seconds DESC, c.id DESC
       LIMIT ${limit}`,
      [userId, true, scope.organizationId, sinceSeconds, false, false],
    )
  }
}
