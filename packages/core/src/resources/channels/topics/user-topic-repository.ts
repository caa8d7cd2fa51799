import type { Knex } from 'knex'

import { Role } from '../../../domain/users/actor.js'
import type { UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { columnsIn } from '../../../storage/tables/table.js'
import { userTopics, type UserTopicRow } from './user-topics-table.js'

/** The same with the name of the topic's channel. */
export type NamedUserTopic = UserTopicRow & {
  channel_name: string
  /** Whether the user can see the channel's name: as a subscriber, or by their role. */
  is_channel_shown: boolean
}

@perServer()
export class UserTopicRepository {
  /** The user's policies for topics of active channels, oldest first. */
  async listOfUser(scope: OrganizationScope, userId: number): Promise<NamedUserTopic[]> {
    return this.#listNamed(scope, (query) => query.where({ 't.user_id': userId }))
  }

  async find(
    scope: OrganizationScope,
    userId: number,
    channelId: number,
    topicKey: string,
  ): Promise<UserTopicRow | undefined> {
    return scope
      .rows(userTopics)
      .find({ user_id: userId, channel_id: channelId, topic_key: topicKey })
  }

  /** Deletes these users' policies for one topic. */
  async deleteMany(
    tx: Transaction,
    userIds: readonly number[],
    channelId: number,
    topicKey: string,
  ): Promise<void> {
    if (userIds.length === 0) return
    await tx
      .query('user_topics')
      .where({ channel_id: channelId, topic_key: topicKey })
      .whereRaw(`user_id IN (${idList(userIds)})`)
      .delete()
  }

  /** The topics of active channels that these users have muted, oldest first. */
  async listMuted(scope: OrganizationScope, userIds: readonly number[]): Promise<NamedUserTopic[]> {
    if (userIds.length === 0) return []
    return this.#listNamed(scope, (query) =>
      query.whereRaw(`t.user_id IN (${idList(userIds)})`).where({ 't.visibility_policy': 1 }),
    )
  }

  /**
   * Those of the users who are to follow the topic because of a mention: they receive the channel's
   * messages and have neither muted nor followed the topic.
   */
  async listPossibleFollowers(
    scope: OrganizationScope,
    userIds: readonly number[],
    channelId: number,
    topicKey: string,
  ): Promise<{ user_id: number; settings: UserSettingsJson }[]> {
    return scope
      .queryAs('users', 'u')
      .join(scope.as('subscriptions', 's'), (join) => {
        join.on('s.user_id', 'u.id').andOnVal('s.channel_id', channelId)
      })
      .leftJoin(scope.as('user_topics', 't'), (join) => {
        join
          .on('t.user_id', 'u.id')
          .andOnVal('t.channel_id', channelId)
          .andOnVal('t.topic_key', topicKey)
      })
      .whereRaw(`u.id IN (${idList(userIds)})`)
      .where({ 'u.is_active': true, 'u.is_bot': false, 's.is_active': true })
      .where((query) => void query.whereNull('t.user_id').orWhere('t.visibility_policy', 2))
      .orderBy('u.id')
      .select<{ user_id: number; settings: UserSettingsJson }[]>('u.id as user_id', 'u.settings')
  }

  /** Sets the policy of users for one topic, in two statements for any number of users. */
  async setMany(
    tx: Transaction,
    userIds: readonly number[],
    topic: Omit<UserTopicRow, 'organization_id' | 'user_id'>,
  ): Promise<void> {
    if (userIds.length === 0) return
    const { channel_id, topic_key, visibility_policy, updated_at_seconds } = topic
    await tx
      .query('user_topics')
      .where({ channel_id, topic_key })
      .whereRaw(`user_id IN (${idList(userIds)})`)
      .update({ visibility_policy, updated_at_seconds })
    await tx.raw(
      `INSERT INTO ?? (organization_id, user_id, channel_id, topic, topic_key,
         visibility_policy, updated_at_seconds)
       SELECT u.organization_id, u.id, ?, ?, ?, ?, ? FROM ?? u
       LEFT JOIN ?? t ON t.user_id = u.id AND t.channel_id = ? AND t.topic_key = ?
       WHERE u.organization_id = ? AND t.user_id IS NULL
         AND u.id IN (${idList(userIds)})`,
      [
        tx.table('user_topics'),
        channel_id,
        topic.topic,
        topic_key,
        visibility_policy,
        updated_at_seconds,
        tx.table('users'),
        tx.table('user_topics'),
        channel_id,
        topic_key,
        tx.organizationId,
      ],
    )
  }

  #listNamed(
    scope: OrganizationScope,
    where: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<NamedUserTopic[]> {
    const query = scope
      .queryAs('user_topics', 't')
      .join(scope.as('channels', 'c'), 'c.id', 't.channel_id')
      .join(scope.as('users', 'u'), 'u.id', 't.user_id')
      .leftJoin(scope.as('subscriptions', 's'), (join) => {
        join.on('s.channel_id', 't.channel_id').on('s.user_id', 't.user_id')
      })
      .where({ 'c.is_archived': false })
      .orderBy(['t.updated_at_seconds', 't.channel_id', 't.topic_key'])
    const columns = {
      ...columnsIn(userTopics, 't'),
      channel_name: 'c.name',
      is_channel_shown: scope.executor.raw(
        `(COALESCE(s.is_active, FALSE) OR c.is_web_public OR u.role <= ?
          OR (NOT c.is_private AND u.role < ?))`,
        [Role.administrator, Role.guest],
      ),
    }
    return scope.listRows<NamedUserTopic>(where(query), columns, { booleans: ['is_channel_shown'] })
  }
}
