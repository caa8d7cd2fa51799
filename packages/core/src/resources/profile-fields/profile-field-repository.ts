import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    profile_fields: ProfileFieldRow
  }
}

export interface ProfileFieldRow {
  id: number
  organization_id: number
  type: number
  name: string
  hint: string
  /** JSON for lists of options and external accounts, empty for the rest. */
  field_data: string
  /** Ascending in the order in which fields are shown. */
  position: number
  is_in_summary: boolean | number
  is_required: boolean | number
  is_editable_by_user: boolean | number
}

/** What administrators decide about a field. */
export type ProfileFieldColumns = Omit<ProfileFieldRow, 'id' | 'organization_id' | 'position'>

@perServer()
export class ProfileFieldRepository {
  /** In the order in which they are shown. */
  async list(scope: OrganizationScope): Promise<ProfileFieldRow[]> {
    return scope.query('profile_fields').orderBy('position').orderBy('id').select('*')
  }

  /** The same, keeping others from changing the fields until `tx` ends. */
  async lock(tx: Transaction): Promise<ProfileFieldRow[]> {
    const query = tx.query('profile_fields').orderBy('position').orderBy('id').select('*')
    return (await tx.dialect.lockForUpdate(query)) as ProfileFieldRow[]
  }

  /** The same for a transaction that only relies on them. */
  async lockShared(tx: Transaction): Promise<ProfileFieldRow[]> {
    return (await tx.dialect.lockShared(
      tx.query('profile_fields').orderBy('position').orderBy('id').select('*'),
    )) as ProfileFieldRow[]
  }

  /** Adds a field after those that were made before it. @returns its id. */
  async insert(tx: Transaction, row: ProfileFieldColumns): Promise<number> {
    const id = await tx.insert('profile_fields', { ...row, position: 0 })
    await tx
      .query('profile_fields')
      .where({ id })
      .update({ position: id } as never)
    return id
  }

  /** Stores fields that have their ids, in the order in which they are shown. */
  async insertMany(
    tx: Transaction,
    rows: readonly (ProfileFieldColumns & { readonly id: number; readonly position: number })[],
  ): Promise<void> {
    await tx.insert('profile_fields', rows)
  }

  async update(tx: Transaction, id: number, changes: Partial<ProfileFieldColumns>): Promise<void> {
    await tx
      .query('profile_fields')
      .where({ id })
      .update(changes as never)
  }

  async delete(tx: Transaction, id: number): Promise<void> {
    await tx.query('profile_fields').where({ id }).delete()
  }

  /** Gives each field its place in `ids`, in one statement. */
  async reorder(tx: Transaction, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const places = ids.map(() => 'WHEN ? THEN ?').join(' ')
    const bindings = ids.flatMap((id, index) => [id, index])
    await tx.raw(`UPDATE ?? SET position = CASE id ${places} END WHERE organization_id = ?`, [
      tx.table('profile_fields'),
      ...bindings,
      tx.organizationId,
    ])
  }
}
