import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { UserRow } from '../../people/users/index.js'
import type { DataExportRow } from './data-exports-table.js'

/** The end of the year 9999. */
export const neverDue = 253_402_300_799

/** More are not listed: there are at most five in a week. */
const maxListed = 1000

@perServer()
export class DataExportRepository {
  /** The newest exports, the oldest of them first. */
  async list(scope: OrganizationScope): Promise<DataExportRow[]> {
    const query = scope.query('data_exports').orderBy('id', 'desc').limit(maxListed)
    return (await query.select('*')).toReversed()
  }

  async countSince(scope: OrganizationScope, seconds: number): Promise<number> {
    const rows = await scope
      .query('data_exports')
      .where('requested_at_seconds', '>', seconds)
      .select<{ id: number }[]>('id')
    return rows.length
  }

  /** Whether the organization has more messages than `limit`. */
  async hasMoreMessages(scope: OrganizationScope, limit: number): Promise<boolean> {
    const next = await scope
      .query('messages')
      .orderBy('id')
      .offset(limit)
      .first<{ id: number } | undefined>('id')
    return next !== undefined
  }

  /** The settings of all human users, ascending by id. */
  async listHumans(scope: OrganizationScope): Promise<HumanSettings[]> {
    return scope.listRows<HumanSettings>(
      scope.query('users').where({ is_bot: false }).orderBy('id'),
      ['id', 'settings'],
    )
  }
}

type HumanSettings = Pick<UserRow, 'id' | 'settings'>
