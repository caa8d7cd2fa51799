import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    email_changes: EmailChangeRow
  }
}

/** A change of an e-mail address until the user has proved that the new one is theirs. */
export interface EmailChangeRow {
  id: number
  organization_id: number
  user_id: number
  old_email: string
  new_email: string
  key_hash: string
  requested_at_seconds: number
}

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
