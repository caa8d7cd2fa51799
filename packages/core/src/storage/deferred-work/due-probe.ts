import type { Database } from '../database.js'
import type { TableName } from '../rows/tables.js'

/** How long an answer may be used: rounds with the same interval begin at about the same time. */
const freshMilliseconds = 1000

interface Answer {
  /** Clock milliseconds. */
  readonly askedAt: number
  readonly unused: Set<TableName>
  readonly due: Promise<ReadonlySet<TableName>>
}

/**
 * Finds out which tables have due rows, with one statement for all of them: an idle server would
 * otherwise send one for each.
 */
export class DueProbe {
  readonly #tables = new Set<TableName>()
  /** The last answer, and the tables that have not used it yet. */
  #last: Answer = { askedAt: -Infinity, unused: new Set(), due: Promise.resolve(new Set()) }

  constructor(private readonly database: Database) {}

  /**
   * Whether a table has due rows, or had some at most a second ago. The answer to one call is that to
   * the next calls for other tables, but not for the same one.
   *
   * @param table has an index of `due_at_seconds`.
   */
  async hasDue(table: TableName, nowMilliseconds: number): Promise<boolean> {
    this.#tables.add(table)
    const age = Math.abs(nowMilliseconds - this.#last.askedAt)
    if (age >= freshMilliseconds || !this.#last.unused.has(table)) {
      this.#last = {
        askedAt: nowMilliseconds,
        unused: new Set(this.#tables),
        due: this.#ask(Math.floor(nowMilliseconds / 1000)),
      }
    }
    const { unused, due } = this.#last
    unused.delete(table)
    return (await due).has(table)
  }

  async #ask(nowSeconds: number): Promise<Set<TableName>> {
    const { reader } = this.database
    const [first, ...others] = [...this.#tables].map((table) => {
      const dueRow = reader(this.database.table(table))
        .where('due_at_seconds', '<=', nowSeconds)
        .limit(1)
        .select(reader.raw('? AS name', [table]))
      return reader.select('name').from(dueRow.as('due'))
    })
    const rows: { name: TableName }[] = first === undefined ? [] : await first.unionAll(others)
    return new Set(rows.map(({ name }) => name))
  }
}
