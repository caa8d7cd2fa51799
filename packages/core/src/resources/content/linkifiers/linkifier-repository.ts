import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'
import type { LinkifierRow } from './linkifiers-table.js'

@perServer()
export class LinkifierRepository {
  /** In matching order. */
  async list(scope: OrganizationScope): Promise<LinkifierRow[]> {
    return scope.query('linkifiers').orderBy('position').orderBy('id').select('*')
  }

  async insert(
    tx: Transaction,
    row: Omit<LinkifierRow, 'id' | 'organization_id'>,
  ): Promise<number> {
    return tx.insert('linkifiers', row)
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<LinkifierRow>[]): Promise<void> {
    await tx.insert('linkifiers', rows)
  }

  async update(
    tx: Transaction,
    id: number,
    changes: Pick<LinkifierRow, 'pattern' | 'url_template'>,
  ): Promise<void> {
    await tx.query('linkifiers').where({ id }).update(changes)
  }

  async delete(tx: Transaction, id: number): Promise<void> {
    await tx.query('linkifiers').where({ id }).delete()
  }

  /** Sets the position of each linkifier to its index in `ids`, in one statement. */
  async reorder(tx: Transaction, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const places = ids.map(() => 'WHEN ? THEN ?').join(' ')
    const bindings = ids.flatMap((id, index) => [id, index])
    await tx.raw(`UPDATE ?? SET position = CASE id ${places} END WHERE organization_id = ?`, [
      tx.table('linkifiers'),
      ...bindings,
      tx.organizationId,
    ])
  }
}
