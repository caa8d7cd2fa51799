import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'
import { keysOf } from '../../../kernel/objects.js'
import { drafts, type DraftRow } from './drafts-table.js'

@perServer()
export class DraftRepository {
  /** A user's drafts, the latest edit first. */
  async list(scope: OrganizationScope, userId: number, limit?: number): Promise<DraftRow[]> {
    const query = scope
      .query('drafts')
      .where({ user_id: userId })
      .orderBy([
        { column: 'edited_at_seconds', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
    const limited = limit === undefined ? query : query.limit(limit)
    return scope.listRows<DraftRow>(limited, keysOf(drafts.columns))
  }

  async has(tx: Transaction, userId: number, id: number): Promise<boolean> {
    const row = await tx.dialect
      .lockForUpdate(tx.query('drafts').where({ id, user_id: userId }))
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  /**
   * Inserts drafts of one user.
   *
   * @returns their ids, in the same order.
   */
  async insertOwn(
    tx: Transaction,
    userId: number,
    rows: readonly Omit<NewRow<DraftRow>, 'user_id'>[],
  ): Promise<number[]> {
    const firstId = await tx
      .rows(drafts)
      .insertMany(rows.map((row) => ({ ...row, user_id: userId })))
    // In a database cluster, the ids that one statement generates may have gaps.
    const inserted = await tx
      .query('drafts')
      .where({ user_id: userId })
      .where('id', '>=', firstId)
      .orderBy('id')
      .limit(rows.length)
      .select<{ id: number }[]>('id')
    return inserted.map((row) => row.id)
  }
}
