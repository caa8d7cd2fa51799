import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  idList,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import type { SearchableMessage } from './word-index.js'
import { searchBacklogs } from './search-backlogs-table.js'

/** More are not counted, because that would take long. */
const maxCountedMessages = 100_000

/** Which messages are not indexed yet. */
@perServer()
export class SearchBacklogRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Notes that no message of the organization is indexed. */
  async insert(tx: Transaction): Promise<void> {
    await tx.rows(searchBacklogs).insert({ indexed_message_id: 0 })
  }

  /**
   * The last message that is indexed, and undefined if all are. Locks the row, so that the indexer
   * does not continue before the transaction ends.
   */
  async lock(tx: Transaction): Promise<number | undefined> {
    const indexedMessageId = await this.#indexedId(tx.dialect.lockForUpdate(this.#row(tx)))
    if (this.database.isCluster && indexedMessageId !== undefined) {
      // Locks are those of one node. An indexer of another one only conflicts with a changed row,
      // and an update to the same values changes none.
      await tx.query('search_backlogs').delete()
      await tx.rows(searchBacklogs).insert({ indexed_message_id: indexedMessageId })
    }
    return indexedMessageId
  }

  /** The same; undefined also if another transaction has locked the row. */
  async lockIfFree(scope: OrganizationScope): Promise<number | undefined> {
    return this.#indexedId(scope.dialect.lockIfFree(this.#row(scope)))
  }

  /** The same without a lock. */
  async indexedId(scope: OrganizationScope): Promise<number | undefined> {
    return this.#indexedId(this.#row(scope))
  }

  /**
   * Locks the row, so that no process indexes messages of the organization. An organization that is
   * deleted has none.
   *
   * @returns false if the row is locked, and not waited for.
   */
  async lockIndexer(scope: OrganizationScope, waits: boolean): Promise<boolean> {
    if (waits) {
      await scope.dialect.lockForUpdate(this.#row(scope))
      return true
    }
    if ((await this.lockIfFree(scope)) !== undefined) return true
    return (await this.indexedId(scope)) === undefined
  }

  async end(scope: OrganizationScope): Promise<void> {
    await scope.query('search_backlogs').delete()
  }

  /** The oldest messages after one, ascending: at least one, and no more if they are too large. */
  async listNext(
    scope: OrganizationScope,
    afterId: number,
    limit: number,
    maxBytes: number,
  ): Promise<SearchableMessage[]> {
    const next = `SELECT m.id FROM ${scope.table('messages')} m
      WHERE m.organization_id = ? AND m.id > ? ORDER BY m.id LIMIT ${limit}`
    const ids = { sql: next, bindings: [scope.organizationId, afterId] }
    return this.#list(scope, ids, 'ASC', maxBytes)
  }

  /**
   * Messages with the given ids, ascending, with the same limit of their texts.
   *
   * @param direction which are there if they are too large: the oldest (`ASC`) or the newest.
   */
  async list(
    scope: OrganizationScope,
    ids: readonly number[],
    direction: 'ASC' | 'DESC',
    maxBytes: number,
  ): Promise<SearchableMessage[]> {
    const given = `SELECT m.id FROM ${scope.table('messages')} m
      WHERE m.organization_id = ? AND m.id IN (${idList(ids)})`
    return this.#list(scope, { sql: given, bindings: [scope.organizationId] }, direction, maxBytes)
  }

  /** Those of the messages that exist. */
  async existing(scope: OrganizationScope, ids: readonly number[]): Promise<number[]> {
    return scope
      .query('messages')
      .whereRaw(`id IN (${idList(ids)})`)
      .pluck('id')
  }

  /** Those of the messages, which are not indexed, of which the index has a part. */
  async partial(scope: OrganizationScope, ids: readonly number[]): Promise<number[]> {
    return scope
      .query('message_words')
      .whereRaw(`message_id IN (${idList(ids)})`)
      .distinct('message_id')
      .pluck('message_id')
  }

  /** The newest messages that are not indexed, ascending, with the same limits. */
  async listNewest(
    scope: OrganizationScope,
    limit: number,
    maxBytes: number,
  ): Promise<SearchableMessage[]> {
    const newest = `SELECT m.id FROM ${scope.table('messages')} m
      WHERE m.organization_id = ? AND m.id > (
        SELECT b.indexed_message_id FROM ${scope.table('search_backlogs')} b
        WHERE b.organization_id = ?)
      ORDER BY m.id DESC LIMIT ${limit}`
    const bindings = [scope.organizationId, scope.organizationId]
    return this.#list(scope, { sql: newest, bindings }, 'DESC', maxBytes)
  }

  /** The organizations with messages that are not indexed. */
  async listOrganizations(): Promise<number[]> {
    const [backlogs, messages] = ['search_backlogs', 'messages'].map((name) =>
      this.database.table(name),
    )
    const rows = await this.database
      .queryAll('search_backlogs')
      .whereRaw(
        `EXISTS (SELECT 1 FROM ${messages} m WHERE m.organization_id = ${backlogs}.organization_id
          AND m.id > ${backlogs}.indexed_message_id)`,
      )
      .select<{ organization_id: number }[]>('organization_id')
    return rows.map(({ organization_id }) => organization_id)
  }

  /**
   * The number of messages whose words are not in the index, in all organizations together; at most
   * 100,000.
   */
  async countPending(): Promise<number> {
    const { reader } = this.database
    const pending = reader({ b: this.database.table('search_backlogs') })
      .join({ m: this.database.table('messages') }, (join) =>
        join
          .on('m.organization_id', 'b.organization_id')
          .andOn('m.id', '>', 'b.indexed_message_id'),
      )
      .limit(maxCountedMessages)
      .select('m.id')
      .as('pending')
    const changed = reader(this.database.table('messages_to_reindex'))
      .limit(maxCountedMessages)
      .select('message_id')
      .as('changed')
    let count = 0
    for (const list of [pending, changed]) {
      const [row] = await reader.from(list).count<{ count: number | string }[]>('* as count')
      count += Number(row?.count ?? 0)
    }
    return Math.min(count, maxCountedMessages)
  }

  #row(scope: OrganizationScope) {
    return scope
      .query('search_backlogs')
      .first<{ indexed_message_id: number } | undefined>('indexed_message_id')
  }

  async #indexedId(
    row: PromiseLike<{ indexed_message_id: number } | undefined>,
  ): Promise<number | undefined> {
    return (await row)?.indexed_message_id
  }

  async #list(
    scope: OrganizationScope,
    ids: { readonly sql: string; readonly bindings: readonly unknown[] },
    direction: 'ASC' | 'DESC',
    maxBytes: number,
  ): Promise<SearchableMessage[]> {
    const list = await scope.raw<SearchableMessage>(
      `SELECT m.id, m.topic, m.rendered_content FROM (
         SELECT found_ids.id, SUM(OCTET_LENGTH(s.rendered_content)) OVER (
           ORDER BY found_ids.id ${direction} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ) AS bytes_before
         FROM (${ids.sql}) found_ids
         ${scope.orderedJoin('messages', 's', 's.id = found_ids.id')}
       ) found
       ${scope.orderedJoin('messages', 'm', 'm.id = found.id')}
       WHERE COALESCE(found.bytes_before, 0) < ?`,
      [...ids.bindings, maxBytes],
    )
    // Sorted here, because the database would sort the messages together with their texts.
    return list.sort((a, b) => a.id - b.id)
  }
}
