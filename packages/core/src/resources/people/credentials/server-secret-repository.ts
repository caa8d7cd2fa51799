import type { Database } from '../../../storage/index.js'

/** The secrets in the database; the only table that belongs to no organization. */
export class ServerSecretRepository {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<string | undefined> {
    const { writer } = this.database
    const row = await writer(this.#table)
      .where({ name })
      .first<{ value: string } | undefined>('value')
    return row?.value
  }

  /** If several processes insert a value at once, all of them get the value of the first one. */
  async findOrInsert(name: string, value: string): Promise<string> {
    const found = await this.find(name)
    if (found !== undefined) return found
    try {
      await this.database.writer(this.#table).insert({ name, value })
      return value
    } catch (error) {
      const stored = this.database.dialect.isUniqueViolation(error)
        ? await this.find(name)
        : undefined
      if (stored === undefined) throw error
      return stored
    }
  }

  /** @returns false if the stored value is not `present` any more. */
  async replace(name: string, present: string, value: string): Promise<boolean> {
    const { writer } = this.database
    return (await writer(this.#table).where({ name, value: present }).update({ value })) > 0
  }

  /** Stores a value, replacing an earlier one. */
  async set(name: string, value: string): Promise<void> {
    if ((await this.findOrInsert(name, value)) === value) return
    await this.database.writer(this.#table).where({ name }).update({ value })
  }

  get #table(): string {
    return this.database.table('server_secrets')
  }
}
