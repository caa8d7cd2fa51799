import type { Database } from '../../storage/index.js'

/** The secrets that the database keeps; the one table that belongs to no organization. */
export class ServerSecretRepository {
  constructor(private readonly database: Database) {}

  /** The first of several processes that start at once decides. */
  async findOrInsert(name: string, value: string): Promise<string> {
    const table = this.database.table('server_secrets')
    const find = async () =>
      (await this.database.writer(table).where({ name }).first('value')) as
        | { value: string }
        | undefined
    const found = await find()
    if (found !== undefined) return found.value
    try {
      await this.database.writer(table).insert({ name, value })
      return value
    } catch (error) {
      const stored = this.database.dialect.isUniqueViolation(error) ? await find() : undefined
      if (stored === undefined) throw error
      return stored.value
    }
  }
}
