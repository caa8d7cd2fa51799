import { after } from 'node:test'

import type { Connection, RowDataPacket } from 'mysql2/promise'

/** What a test must not leave changed: the number of columns, of columns in indexes, of triggers. */
const shapeQuery = `SELECT CONCAT_WS(' ',
  (SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE()),
  (SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE()),
  (SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema = DATABASE())) AS value`

const tablesQuery = `SELECT table_name AS name, COALESCE(auto_increment, 0) AS nextId
  FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`

/**
 * Databases of chats that were stopped, for the next ones of this process. To create the tables
 * takes MySQL longer than most groups of tests.
 */
export class PreparedMysql {
  readonly #free: string[] = []
  #shape: string | undefined
  #isOver = false

  constructor(
    private readonly connect: (database: string) => Promise<Connection>,
    private readonly drop: (database: string) => Promise<void>,
  ) {
    after(async () => {
      this.#isOver = true
      for (const database of this.#free.splice(0)) await this.drop(database)
    })
  }

  /** A database with the tables of a chat and no rows; undefined if there is none. */
  take(): string | undefined {
    return this.#free.pop()
  }

  /** Empties a database that is not used any more; drops it if its tables were changed. */
  async giveBack(database: string): Promise<void> {
    if (!this.#isOver && (await this.#isEmptied(database))) this.#free.push(database)
    else await this.drop(database)
  }

  async #isEmptied(database: string): Promise<boolean> {
    const connection = await this.connect(database)
    try {
      const [[shape]] = await connection.query<(RowDataPacket & { value: string })[]>(shapeQuery)
      this.#shape ??= shape?.value
      if (shape === undefined || shape.value !== this.#shape) return false
      await empty(connection)
      return true
    } finally {
      await connection.end()
    }
  }
}

async function empty(connection: Connection): Promise<void> {
  type Row = RowDataPacket & { name: string; nextId: number }
  const [tables] = await connection.query<Row[]>(tablesQuery)
  await connection.query('SET foreign_key_checks = 0')
  for (const { name, nextId } of tables) {
    // Its rows say which tables there are.
    if (name.endsWith('migrations')) continue
    await connection.query('DELETE FROM ??', [name])
    if (nextId > 1) await connection.query('ALTER TABLE ?? AUTO_INCREMENT = 1', [name])
  }
}
