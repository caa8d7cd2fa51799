import { rowBytesPerEntry, rowsName } from './archive-format.js'
import { type ArchivedRow, archivedTables } from './archived-tables.js'
import type { ArchiveWriter } from './archive-writer.js'
import { hasFiles } from './archived-files.js'

const tableNames: readonly string[] = archivedTables.map(({ name }) => name)

/** Collects rows into entries of about a megabyte, one row per line. */
export class RowEntries {
  readonly #lines = new Map<string, string[]>()
  readonly #counts = new Map<string, number>()
  #waitingBytes = 0
  #entries = 0

  constructor(private readonly writer: ArchiveWriter) {}

  async add(table: string, rows: readonly ArchivedRow[]): Promise<void> {
    for (const row of rows) {
      const line = JSON.stringify(row)
      const lines = this.#lines.get(table)
      if (lines === undefined) this.#lines.set(table, [line])
      else lines.push(line)
      this.#waitingBytes += Buffer.byteLength(line)
      this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
      // Not within a page of rows with files, which an import looks up by the entry before them.
      if (!hasFiles(table) && this.#waitingBytes >= rowBytesPerEntry) await this.flush()
    }
    if (this.#waitingBytes >= rowBytesPerEntry) await this.flush()
  }

  /** Writes the rows that are waiting, after those that they refer to. */
  async flush(): Promise<void> {
    for (const table of tableNames) {
      const lines = this.#lines.get(table)
      if (lines === undefined) continue
      this.#entries += 1
      const content = Buffer.from(`${lines.join('\n')}\n`)
      await this.writer.write(rowsName(this.#entries, table), content)
    }
    this.#lines.clear()
    this.#waitingBytes = 0
  }

  /** The number of rows of each table. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }
}
