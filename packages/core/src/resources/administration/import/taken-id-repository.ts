import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type TableName } from '../../../storage/index.js'

/** Finds ids that are in use. Ids are one sequence for all organizations. */
@perServer()
export class TakenIdRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** Those of `ids` that a row of any organization uses. */
  async findAmong(table: TableName, ids: readonly number[]): Promise<number[]> {
    const rows = await this.database
      .queryAll(table)
      .whereIn('id', [...ids])
      .select<{ id: number }[]>('id')
    return rows.map(({ id }) => id)
  }
}
