import { foldCase } from '../../domain/folding.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'

/** A user as a mention may name them. */
export interface ReferencedUser {
  readonly id: number
  readonly full_name: string
  readonly full_name_key: string
  readonly is_active: boolean | number
}

/** A group as a mention may name it. */
export interface ReferencedGroup {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly is_system_group: boolean | number
  readonly is_deactivated: boolean | number
  /** JSON of the group ids of its permission settings. */
  readonly settings: string
}

/** A channel as a link may name it, and how the acting user stands to it. */
export interface ReferencedChannel {
  readonly id: number
  readonly name: string
  readonly is_private: boolean | number
  readonly is_web_public: boolean | number
  readonly settings: string
  readonly is_subscribed: boolean | number | null
}

/** Looks up what the texts of messages name: one query per kind. */
@perServer()
export class ReferenceRepository {
  async users(
    scope: OrganizationScope,
    names: readonly string[],
    ids: readonly number[],
  ): Promise<ReferencedUser[]> {
    if (names.length === 0 && ids.length === 0) return []
    return scope
      .query('users')
      .where((query) => {
        void query.whereIn('full_name_key', names.map(foldCase)).orWhereIn('id', [...ids])
      })
      .orderBy('id')
      .select('id', 'full_name', 'full_name_key', 'is_active')
  }

  async groups(scope: OrganizationScope, names: readonly string[]): Promise<ReferencedGroup[]> {
    if (names.length === 0) return []
    const rows = await scope
      .query('user_groups')
      .whereIn('name', [...names])
      .select('id', 'name', 'description', 'is_system_group', 'is_deactivated', 'settings')
    return rows as ReferencedGroup[]
  }

  async channels(
    scope: OrganizationScope,
    names: readonly string[],
    userId: number,
  ): Promise<ReferencedChannel[]> {
    if (names.length === 0) return []
    return scope
      .queryAs('channels', 'c')
      .leftJoin(scope.as('subscriptions', 's'), (join) => {
        join.on('s.channel_id', 'c.id').andOnVal('s.user_id', userId)
      })
      .whereIn('c.name_key', names.map(foldCase))
      .select(
        'c.id',
        'c.name',
        'c.is_private',
        'c.is_web_public',
        'c.settings',
        's.is_active as is_subscribed',
      ) as unknown as Promise<ReferencedChannel[]>
  }

  /** The newest message of each topic, by channel id and folded topic. */
  async latestMessages(
    scope: OrganizationScope,
    topics: readonly { readonly channelId: number; readonly topicKey: string }[],
  ): Promise<{ channel_id: number; topic_key: string; id: number }[]> {
    if (topics.length === 0) return []
    return scope
      .query('messages')
      .where((query) => {
        for (const { channelId, topicKey } of topics) {
          void query.orWhere({ channel_id: channelId, topic_key: topicKey })
        }
      })
      .groupBy('channel_id', 'topic_key')
      .select('channel_id', 'topic_key')
      .max('id as id') as unknown as Promise<
      { channel_id: number; topic_key: string; id: number }[]
    >
  }
}
