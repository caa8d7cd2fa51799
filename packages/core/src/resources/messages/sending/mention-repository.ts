import type { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

/** Finds the users that mentions refer to. */
@perServer()
export class MentionRepository {
  /** The active direct members of any of the groups. */
  async activeMembers(scope: OrganizationScope, groupIds: readonly number[]): Promise<number[]> {
    if (groupIds.length === 0) return []
    const rows = await scope
      .queryAs('user_group_members', 'm')
      .join(scope.as('users', 'u'), 'u.id', 'm.user_id')
      .where('u.is_active', true)
      .whereIn('m.group_id', [...groupIds])
      .distinct<{ user_id: number }[]>('m.user_id')
    return rows.map((row) => row.user_id)
  }

  /** The active users with one of the roles who joined by a time. */
  async activeWithRoles(
    scope: OrganizationScope,
    roles: readonly Role[],
    joinedByMilliseconds: number,
  ): Promise<number[]> {
    if (roles.length === 0) return []
    const rows = await scope
      .query('users')
      .where({ is_active: true })
      .whereIn('role', [...roles])
      .where('joined_at_milliseconds', '<=', joinedByMilliseconds)
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }

  /** The users who have written in a topic or reacted to its messages. */
  async topicParticipants(
    scope: OrganizationScope,
    channelId: number,
    topicKey: string,
  ): Promise<number[]> {
    const ofTopic = 'm.organization_id = ? AND m.channel_id = ? AND m.topic_key = ?'
    const messages = scope.table('messages')
    const topic = [scope.organizationId, channelId, topicKey]
    const rows = await scope.raw<{ user_id: number }>(
      `SELECT m.sender_id AS user_id FROM ?? m WHERE ${ofTopic}
       UNION
       SELECT r.user_id FROM ?? m JOIN ?? r ON r.message_id = m.id WHERE ${ofTopic}`,
      [messages, ...topic, messages, scope.table('reactions'), ...topic],
    )
    return rows.map((row) => row.user_id)
  }
}
