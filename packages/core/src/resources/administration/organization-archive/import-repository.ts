import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type TableName, type Transaction } from '../../../storage/index.js'
import type { ArchivedRow } from './archived-tables.js'

/** Organizations that are being imported, which nothing else finds. */
@perServer()
export class ImportRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** The ids of the organizations whose import has ended early, because its process has. */
  async listAbandoned(nowSeconds: number, limit: number): Promise<number[]> {
    const rows = await this.database
      .queryAll('organizations')
      .where('importing_until_seconds', '<=', nowSeconds)
      .orderBy('id')
      .limit(limit)
      .select('id')
    return rows.map(({ id }) => id)
  }

  async insert(tx: Transaction, row: ArchivedRow): Promise<void> {
    await tx.executor(tx.table('organizations')).insert(row)
  }

  /**
   * @param epoch that of the import: a later one of the same archive has the same ids.
   * @returns false if this import does not go on, because its rows are being deleted.
   */
  async extend(tx: Transaction, epoch: string, untilSeconds: number): Promise<boolean> {
    return this.#update(tx, epoch, { importing_until_seconds: untilSeconds })
  }

  /** The same for the last change: the organization can be found afterwards. */
  async complete(tx: Transaction, epoch: string, changes: ArchivedRow): Promise<boolean> {
    return this.#update(tx, epoch, { ...changes, importing_until_seconds: null })
  }

  /**
   * Ends an import whose rows are about to be deleted; it stays one that has been abandoned.
   *
   * @returns false if there is no such import: it is complete, or was deleted.
   */
  async end(tx: Transaction, epoch: string): Promise<boolean> {
    const changed = await this.#organization(tx)
      .where({ epoch })
      .whereNotNull('importing_until_seconds')
      .update({ importing_until_seconds: 0 })
    return changed > 0
  }

  /** The same for any import without progress since `nowSeconds`. */
  async endAbandoned(tx: Transaction, nowSeconds: number): Promise<boolean> {
    const changed = await this.#organization(tx)
      .where('importing_until_seconds', '<=', nowSeconds)
      .update({ importing_until_seconds: 0 })
    return changed > 0
  }

  /** Makes rows due as long before as they were delayed. */
  async endDelay(tx: Transaction, table: TableName, delaySeconds: number): Promise<void> {
    const name = tx.table(table)
    await tx.raw(
      `UPDATE ${name} SET due_at_seconds = due_at_seconds - ?
       WHERE organization_id = ? AND due_at_seconds >= ?`,
      [delaySeconds, tx.organizationId, delaySeconds],
    )
  }

  async #update(tx: Transaction, epoch: string, changes: ArchivedRow): Promise<boolean> {
    const changed = await this.#organization(tx)
      .where({ epoch })
      .where('importing_until_seconds', '>', 0)
      .update(changes)
    return changed > 0
  }

  #organization(tx: Transaction) {
    return tx.executor(tx.table('organizations')).where({ id: tx.organizationId })
  }
}
