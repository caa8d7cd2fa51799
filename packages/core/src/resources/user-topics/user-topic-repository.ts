import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    user_topics: UserTopicRow
  }
}

/** What a user wants to see of one topic. */
export interface UserTopicRow {
  organization_id: number
  user_id: number
  channel_id: number
  /** Spelled as when it was first stored. */
  topic: string
  topic_key: string
  /** 1 muted, 2 unmuted, 3 followed; 0 has no row. */
  visibility_policy: number
  updated_at_seconds: number
}

/** The same with the name of the topic's channel. */
export type NamedUserTopic = UserTopicRow & { channel_name: string }

@perServer()
export class UserTopicRepository {
  /** What the user has set for topics of active channels, oldest first. */
  async listOfUser(scope: OrganizationScope, userId: number): Promise<NamedUserTopic[]> {
    return scope
      .queryAs('user_topics', 't')
      .join(scope.as('channels', 'c'), 'c.id', 't.channel_id')
      .where({ 't.user_id': userId, 'c.is_archived': false })
      .orderBy(['t.updated_at_seconds', 't.channel_id', 't.topic_key'])
      .select('t.*', 'c.name as channel_name') as unknown as Promise<NamedUserTopic[]>
  }

  /** What users have set for one topic. */
  async listOfTopic(
    scope: OrganizationScope,
    channelId: number,
    topicKey: string,
  ): Promise<UserTopicRow[]> {
    return scope
      .query('user_topics')
      .where({ channel_id: channelId, topic_key: topicKey })
      .orderBy('user_id')
      .select('*')
  }

  async find(
    scope: OrganizationScope,
    userId: number,
    channelId: number,
    topicKey: string,
  ): Promise<UserTopicRow | undefined> {
    return scope
      .query('user_topics')
      .where({ user_id: userId, channel_id: channelId, topic_key: topicKey })
      .first<UserTopicRow | undefined>()
  }

  async insert(tx: Transaction, row: Omit<UserTopicRow, 'organization_id'>): Promise<void> {
    await tx.insert('user_topics', row)
  }

  async update(
    tx: Transaction,
    { user_id, channel_id, topic_key }: UserTopicRow,
    changes: Pick<UserTopicRow, 'visibility_policy' | 'updated_at_seconds'>,
  ): Promise<void> {
    await tx
      .query('user_topics')
      .where({ user_id, channel_id, topic_key })
      .update(changes as never)
  }

  async delete(tx: Transaction, { user_id, channel_id, topic_key }: UserTopicRow): Promise<void> {
    await tx.query('user_topics').where({ user_id, channel_id, topic_key }).delete()
  }
}
