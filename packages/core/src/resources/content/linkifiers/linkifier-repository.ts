import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'

@perServer()
export class LinkifierRepository {
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
