import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type Json, type OrganizationScope } from '../../../storage/index.js'
import { receivedFlagsSql } from '../../channels/unwritten-messages/index.js'
import { groupChanges } from '../../groups/user-groups/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'

/** A user that a message can mention. */
export interface ReferencedUser {
  readonly id: number
  readonly full_name: string
  readonly full_name_key: string
  readonly is_active: boolean
}

/** A group that a message can mention. */
export interface ReferencedGroup {
  readonly id: number
  readonly name: string
  readonly is_system_group: boolean
  readonly is_deactivated: boolean
  readonly settings: Json<{ readonly can_mention_group: number }>
}

/** A topic whose newest message is requested. */
export interface NamedTopic {
  readonly channelId: number
  readonly topicKey: string
  /** Whether to consider only messages that the acting user received. */
  readonly isHistoryHidden: boolean
}

/** Each topic is a column of the result; every database allows more columns than this. */
const topicsPerStatement = 1_500

const groupColumns = ['id', 'name', 'is_system_group', 'is_deactivated', 'settings'] as const

/** Looks up the objects that messages refer to, with one query per kind. */
@perServer()
export class ReferenceRepository {
  readonly #groups: SharedValue<ReadonlyMap<string, ReferencedGroup>>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#groups = shared.define('group_names', {
      load: async (scope) => {
        const query = scope.query('user_groups').whereNotNull('name')
        const rows = await scope.listRows<ReferencedGroup>(query, groupColumns)
        return new Map(rows.map((row) => [row.name, row]))
      },
      changedBy: groupChanges,
    })
  }

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
    if (!this.database.readsPublished(scope)) {
      const query = scope.query('user_groups').whereIn('name', [...names])
      return scope.listRows<ReferencedGroup>(query, groupColumns)
    }
    const groups = await this.#groups.in(scope)
    return names.flatMap((name) => groups.get(name) ?? [])
  }

  /**
   * The id of each topic's newest message that the user may see, in the order of `topics`; null if
   * it has no such message. One index lookup per topic, regardless of the length of its history.
   */
  async latestMessageIds(
    scope: OrganizationScope,
    topics: readonly NamedTopic[],
    userId: number,
  ): Promise<(number | null)[]> {
    if (topics.length === 0) return []
    const newest = ({ channelId, topicKey, isHistoryHidden }: NamedTopic) => {
      const query = scope
        .queryAs('messages', 'm')
        .where({ 'm.channel_id': channelId, 'm.topic_key': topicKey })
        .orderBy('m.id', 'desc')
        .limit(1)
        .select('m.id')
      if (!isHistoryHidden) return query
      return query.whereRaw(`${receivedFlagsSql(scope, userId)} IS NOT NULL`)
    }
    const found: (number | null)[] = []
    for (let start = 0; start < topics.length; start += topicsPerStatement) {
      const slice = topics.slice(start, start + topicsPerStatement)
      const columns = slice.map((topic, index) => newest(topic).as(`topic_${index}`))
      const row = await scope.executor
        .select(...columns)
        .first<Readonly<Record<string, number | null>> | undefined>()
      found.push(...slice.map((_, index) => row?.[`topic_${index}`] ?? null))
    }
    return found
  }
}
