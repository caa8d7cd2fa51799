import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import type { SearchableMessage } from './word-index.js'

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    search_backlogs: SearchBacklogRow
  }
}

/**
 * How far the search index of an organization is. On SQLite, a row exists only until the index
 * has the messages that it lacks; on MySQL always.
 */
interface SearchBacklogRow {
  organization_id: number
  /** The index has the messages up to this one, and on MySQL no others, or a part of the next one. */
  indexed_message_id: number
}

/** More are not counted, because that would take long. */
const maxCountedMessages = 100_000

/** Which messages are not indexed yet. */
@perServer()
export class SearchBacklogRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Notes that no message of the organization is indexed. */
  async insert(tx: Transaction): Promise<void> {
    await tx.insert('search_backlogs', { indexed_message_id: 0 })
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
      await tx.insert('search_backlogs', { indexed_message_id: indexedMessageId })
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

  async advance(scope: OrganizationScope, indexedMessageId: number): Promise<void> {
    await scope.query('search_backlogs').update({ indexed_message_id: indexedMessageId })
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
    const after = { sql: 'm.id > ?', bindings: [afterId] }
    return this.#list(scope, after, 'ASC', limit, maxBytes)
  }

  /** The newest messages that are not indexed, ascending, with the same limits. */
  async listNewest(
    scope: OrganizationScope,
    limit: number,
    maxBytes: number,
  ): Promise<SearchableMessage[]> {
    const after = {
      sql: `m.id > (SELECT b.indexed_message_id FROM ${scope.table('search_backlogs')} b
        WHERE b.organization_id = ?)`,
      bindings: [scope.organizationId],
    }
    return this.#list(scope, after, 'DESC', limit, maxBytes)
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

  /** The number of messages that are not indexed, in all organizations together; at most 100,000. */
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
    const [row] = await reader.from(pending).count<{ count: number | string }[]>('* as count')
    return Number(row?.count ?? 0)
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
    after: { readonly sql: string; readonly bindings: readonly unknown[] },
    direction: 'ASC' | 'DESC',
    limit: number,
    maxBytes: number,
  ): Promise<SearchableMessage[]> {
    const messages = scope.table('messages')
    const list = await scope.raw<SearchableMessage>(
      `SELECT m.id, m.topic, m.rendered_content FROM (
         SELECT found_ids.id, SUM(OCTET_LENGTH(s.rendered_content)) OVER (
           ORDER BY found_ids.id ${direction} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ) AS bytes_before
         FROM (SELECT m.id FROM ${messages} m WHERE m.organization_id = ? AND ${after.sql}
           ORDER BY m.id ${direction} LIMIT ${limit}) found_ids
         ${scope.dialect.orderedJoin} ${messages} s ON s.id = found_ids.id
       ) found
       ${scope.dialect.orderedJoin} ${messages} m ON m.id = found.id
       WHERE COALESCE(found.bytes_before, 0) < ?`,
      [scope.organizationId, ...after.bindings, maxBytes],
    )
    // Sorted here, because the database would sort the messages together with their texts.
    return list.sort((a, b) => a.id - b.id)
  }
}
