import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

/** A user who receives the messages of a channel. */
export interface NotificationMessageReceiver {
  readonly id: number
  /** JSON. */
  readonly settings: UserSettingsJson
}

/** The newest message of a topic. */
export interface NewestMessage {
  readonly id: number
  readonly sender_id: number
  readonly content: string
  readonly sent_at_seconds: number
}

@perServer()
export class NotificationMessageRepository {
  async listReceivers(
    scope: OrganizationScope,
    channelId: number,
  ): Promise<NotificationMessageReceiver[]> {
    return scope
      .queryAs('subscriptions', 's')
      .join(scope.as('users', 'u'), 'u.id', 's.user_id')
      .where({ 's.channel_id': channelId, 's.is_active': true, 's.is_user_active': true })
      .select<NotificationMessageReceiver[]>('u.id', 'u.settings')
  }

  async newestInTopic(
    scope: OrganizationScope,
    channelId: number,
    topicKey: string,
  ): Promise<NewestMessage | undefined> {
    return scope
      .query('messages')
      .where({ channel_id: channelId, topic_key: topicKey })
      .orderBy('id', 'desc')
      .first<NewestMessage | undefined>('id', 'sender_id', 'content', 'sent_at_seconds')
  }

  /** The users with this visibility policy for one of the topics. */
  async listUsersWithPolicy(
    scope: OrganizationScope,
    channelId: number,
    topicKeys: readonly string[],
    visibilityPolicy: number,
  ): Promise<number[]> {
    const rows = await scope
      .query('user_topics')
      .where({ channel_id: channelId, visibility_policy: visibilityPolicy })
      .whereIn('topic_key', [...topicKeys])
      .select<{ user_id: number }[]>('user_id')
    return rows.map((row) => row.user_id)
  }
}
