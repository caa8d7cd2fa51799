import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { receivedFlagsSql } from '../unwritten-messages/index.js'

/** A topic of a channel. */
export interface TopicRow {
  /** In the spelling of its newest message. */
  readonly topic: string
  /** The id of its newest message. */
  readonly id: number
}

@perServer()
export class TopicRepository {
  /** The channel's topics, the one with the newest message first. */
  async list(scope: OrganizationScope, channelId: number): Promise<TopicRow[]> {
    return scope.raw<TopicRow>(
      `SELECT m.topic, m.id
       FROM (SELECT MAX(id) AS id FROM ?? WHERE channel_id = ? GROUP BY topic_key) newest
       ${scope.orderedJoin('messages', 'm', 'm.id = newest.id')}
       WHERE m.organization_id = ?
       ORDER BY m.id DESC`,
      [scope.table('messages'), channelId, scope.organizationId],
    )
  }

  /** Whether the channel has a message in a topic with a name. */
  async hasNamed(scope: OrganizationScope, channelId: number): Promise<boolean> {
    const row = await scope
      .query('messages')
      .where({ channel_id: channelId })
      .where('topic_key', '>', '')
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  /** The topics of the messages that the user has received. */
  async listReceived(
    scope: OrganizationScope,
    channelId: number,
    userId: number,
  ): Promise<TopicRow[]> {
    return scope.raw<TopicRow>(
      `SELECT m.topic, m.id
       FROM (
         SELECT MAX(m.id) AS id FROM ?? m
         WHERE m.channel_id = ? AND ${receivedFlagsSql(scope, userId)} IS NOT NULL
         GROUP BY m.topic_key
       ) newest
       ${scope.orderedJoin('messages', 'm', 'm.id = newest.id')}
       WHERE m.organization_id = ?
       ORDER BY m.id DESC`,
      [scope.table('messages'), channelId, scope.organizationId],
    )
  }
}
