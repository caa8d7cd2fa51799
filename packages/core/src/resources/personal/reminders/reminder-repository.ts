import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { ReminderRow } from './reminders-table.js'

@perServer()
export class ReminderRepository {
  /** The number of reminders of the user. */
  async count(scope: OrganizationScope, userId: number): Promise<number> {
    return scope.count('reminders', { user_id: userId })
  }

  /** A user's reminders, including failed ones, the next one first. */
  async list(scope: OrganizationScope, userId: number): Promise<ReminderRow[]> {
    return scope
      .query('reminders')
      .where({ user_id: userId })
      .orderBy('deliver_at_seconds')
      .orderBy('id')
      .select('*')
  }

  /** One reminder, with an exclusive lock until `tx` ends. */
  async findForChange(tx: Transaction, id: number): Promise<ReminderRow | undefined> {
    return tx.dialect
      .lockForUpdate(tx.query('reminders').where({ id }))
      .first<ReminderRow | undefined>()
  }

  async insert(
    tx: Transaction,
    row: Omit<ReminderRow, 'id' | 'organization_id'>,
  ): Promise<ReminderRow> {
    const id = await tx.insert('reminders', row)
    return { ...row, id, organization_id: tx.organizationId }
  }

  async insertMany(
    tx: Transaction,
    rows: readonly (Omit<ReminderRow, 'id' | 'organization_id'> & { readonly id?: number })[],
  ): Promise<void> {
    await tx.insert('reminders', rows)
  }

  async delete(tx: Transaction, id: number): Promise<void> {
    await tx.query('reminders').where({ id }).delete()
  }

  /** All participants of direct conversations, ascending, by conversation. */
  async listParticipantIds(
    scope: OrganizationScope,
    recipientIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await scope
      .query('recipient_members')
      .whereIn('recipient_id', [...recipientIds])
      .orderBy('user_id')
      .select<{ recipient_id: number; user_id: number }[]>('recipient_id', 'user_id')
    const participants = new Map<number, number[]>()
    for (const { recipient_id, user_id } of rows) addTo(participants, recipient_id, user_id)
    return participants
  }
}
