import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import type { Tables } from '../../storage/tables.js'

type UserRow = Tables['users']

@perServer()
export class UserSettingsRepository {
  /** The user's row, kept from being changed by others until the transaction ends. */
  async lockUser(tx: Transaction, userId: number): Promise<UserRow> {
    const query = tx.query('users').where({ id: userId }).first()
    return (await tx.dialect.lockForUpdate(query)) as unknown as UserRow
  }

  async hasUserNamed(tx: Transaction, nameKey: string, exceptUserId: number): Promise<boolean> {
    const row = await tx
      .query('users')
      .where({ full_name_key: nameKey })
      .whereNot({ id: exceptUserId })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }
}
