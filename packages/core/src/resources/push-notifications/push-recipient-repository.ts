import { MessageFlag } from '../../domain/message-flags.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'
import type { NotifiableMessage } from './push-notification-repository.js'

/** Somebody with devices who has not read a message, and what decides whether they are notified. */
export interface PushRecipientRow {
  user_id: number
  flags: number
  /** JSON. */
  settings: string
  /** Null without a subscription; likewise the two below. */
  is_muted: boolean | number | null
  push_notifications: boolean | number | null
  wildcard_mentions_notify: boolean | number | null
  visibility_policy: number | null
  active_at_seconds: number | null
  has_devices: boolean | number
  has_tokens: boolean | number
}

@perServer()
export class PushRecipientRepository {
  /** The people with devices who have not read somebody else's message. */
  async listUnread(
    scope: OrganizationScope,
    message: NotifiableMessage,
  ): Promise<PushRecipientRow[]> {
    const hasDevices = `EXISTS (SELECT 1 FROM ${scope.table('push_devices')} d
      WHERE d.user_id = um.user_id AND d.relay_device_id IS NOT NULL)`
    const hasTokens = `EXISTS (SELECT 1 FROM ${scope.table('push_tokens')} t
      WHERE t.user_id = um.user_id)`
    return scope.raw<PushRecipientRow>(
      `SELECT um.user_id, um.flags, u.settings, s.is_muted, s.push_notifications,
         s.wildcard_mentions_notify, ut.visibility_policy, p.active_at_seconds,
         ${hasDevices} AS has_devices, ${hasTokens} AS has_tokens
       FROM ${scope.table('user_messages')} um
       JOIN ${scope.table('users')} u ON u.id = um.user_id AND u.is_active = ? AND u.is_bot = ?
       LEFT JOIN ${scope.table('subscriptions')} s
         ON s.user_id = um.user_id AND s.channel_id = ? AND s.is_active = ?
       LEFT JOIN ${scope.table('user_topics')} ut
         ON ut.user_id = um.user_id AND ut.channel_id = ? AND ut.topic_key = ?
       LEFT JOIN ${scope.table('presences')} p ON p.user_id = um.user_id
       WHERE um.organization_id = ? AND um.message_id = ? AND um.user_id <> ?
         AND (um.flags & ?) = 0 AND (${hasDevices} OR ${hasTokens})
       ORDER BY um.user_id`,
      [
        true,
        false,
        message.channel_id ?? 0,
        true,
        message.channel_id ?? 0,
        message.topic_key,
        scope.organizationId,
        message.id,
        message.sender_id,
        MessageFlag.read,
      ],
    )
  }
}
