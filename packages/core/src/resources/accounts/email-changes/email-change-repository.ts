import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'
import type { EmailChangeRow } from './email-changes-table.js'

@perServer()
export class EmailChangeRepository {
  async find(scope: OrganizationScope, key_hash: string): Promise<EmailChangeRow | undefined> {
    return scope.query('email_changes').where({ key_hash }).first<EmailChangeRow | undefined>()
  }

  async insert(tx: Transaction, row: NewRow<EmailChangeRow>): Promise<void> {
    await tx.insert('email_changes', row)
  }

  async deleteOfUser(tx: Transaction, user_id: number): Promise<void> {
    await tx.query('email_changes').where({ user_id }).delete()
  }

  /**
   * Returns whether the row still existed: of two concurrent confirmations, only one deletes it.
   */
  async delete(tx: Transaction, id: number): Promise<boolean> {
    return (await tx.query('email_changes').where({ id }).delete()) > 0
  }
}
