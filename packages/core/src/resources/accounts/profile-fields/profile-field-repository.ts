import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { profileFields, type ProfileFieldRow } from './profile-fields-table.js'

/** The columns of a field that administrators set. */
export type ProfileFieldColumns = Omit<ProfileFieldRow, 'id' | 'organization_id' | 'position'>

@perServer()
export class ProfileFieldRepository {
  /** The same, with an exclusive lock until `tx` ends. */
  async lock(tx: Transaction): Promise<ProfileFieldRow[]> {
    const query = tx.query('profile_fields').orderBy('position').orderBy('id').select('*')
    return await tx.dialect.lockForUpdate(query)
  }

  /** The same, with a shared lock until `tx` ends. */
  async lockShared(tx: Transaction): Promise<ProfileFieldRow[]> {
    const query = tx.query('profile_fields').orderBy('position').orderBy('id').select('*')
    return tx.dialect.lockShared(query)
  }

  /**
   * Adds a field after all existing ones.
   *
   * @returns its id.
   */
  async insert(tx: Transaction, row: ProfileFieldColumns): Promise<number> {
    const id = await tx.rows(profileFields).insert({ ...row, position: 0 })
    await tx.query('profile_fields').where({ id }).update({ position: id })
    return id
  }
}
