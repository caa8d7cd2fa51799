import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'

/** Reads the application's ids of users. */
@perServer()
export class ExternalIdRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** The application's ids of those of the users who have one, by user id. */
  async find(
    organizationId: number,
    userIds: readonly number[],
  ): Promise<Readonly<Record<number, string>>> {
    const rows = await this.database
      .readCommitted(organizationId)
      .query('users')
      .whereIn('id', [...userIds])
      .whereNotNull('external_id')
      .select<{ id: number; external_id: string }[]>('id', 'external_id')
    return Object.fromEntries(rows.map((row) => [row.id, row.external_id]))
  }
}
