import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

/** A possible recipient of typing notifications. */
export interface TypingWatcher {
  readonly user_id: number
  readonly is_active: boolean
  /** JSON of the settings that differ from the defaults. */
  readonly settings: UserSettingsJson
}

/** Finds the recipients of typing notifications. Typing itself is not stored. */
@perServer()
export class TypingRepository {
  /** Up to `limit` of the users who receive the channel's messages. */
  async listReceivers(
    scope: OrganizationScope,
    channelId: number,
    limit: number,
  ): Promise<TypingWatcher[]> {
    return scope
      .queryAs('subscriptions', 's')
      .join(scope.as('users', 'u'), 'u.id', 's.user_id')
      .where({ 's.channel_id': channelId, 's.is_active': true, 's.is_user_active': true })
      .limit(limit)
      .select<TypingWatcher[]>('s.user_id', 'u.is_active', 'u.settings')
  }

  /** Up to `limit` of the participants of a direct conversation, ascending. */
  async listParticipants(
    scope: OrganizationScope,
    recipientId: number,
    limit: number,
  ): Promise<TypingWatcher[]> {
    return scope
      .queryAs('recipient_members', 'm')
      .join(scope.as('users', 'u'), 'u.id', 'm.user_id')
      .where({ 'm.recipient_id': recipientId })
      .orderBy('m.user_id')
      .limit(limit)
      .select<TypingWatcher[]>('m.user_id', 'u.is_active', 'u.settings')
  }
}
