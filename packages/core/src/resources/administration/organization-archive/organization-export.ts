import { buffer } from 'node:stream/consumers'

import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import { PresenceMemory } from '../../personal/presence/index.js'
import {
  archiveFormat,
  archiveVersion,
  endName,
  fileName,
  manifestName,
  type ArchiveEnd,
  type ArchiveManifest,
  type ArchiveType,
} from './archive-format.js'
import { ArchiveRepository } from './archive-repository.js'
import { ArchiveSelections, type ArchiveSelection } from './archive-selection.js'
import {
  columnsOf,
  type ArchivedRow,
  type ArchivedTable,
  archivedOrganization,
  archivedTables,
} from './archived-tables.js'
import { ArchiveWriter } from './archive-writer.js'
import { filesOfOrganization, filesOfRows, hasFiles, type ArchivedFile } from './archived-files.js'
import { RowEntries } from './row-entries.js'

const rowsPerPage = 500
/** A message may have some hundred kilobytes, with its history. */
const messagesPerPage = 100

const closed = 'The chat server was closed'

/** One export. */
interface Export {
  readonly organizationId: number
  readonly scope: OrganizationScope
  readonly selection: ArchiveSelection
  readonly writer: ArchiveWriter
  readonly entries: RowEntries
}

/** Writes organizations into archives, from a snapshot of the database. */
@perServer()
export class OrganizationExport {
  readonly #writers = new Set<ArchiveWriter>()
  #isClosed = false

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ArchiveRepository) private readonly rows: ArchiveRepository,
    @inject(ArchiveSelections) private readonly selections: ArchiveSelections,
    @inject(PresenceMemory) private readonly presences: PresenceMemory,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Records in the audit trail that an export by the application begins. */
  async audit(organizationId: number): Promise<void> {
    await this.unitOfWork.run(
      organizationId,
      async (tx) => tx.audit({ action: 'organization.exported' }),
      { skipWriteLock: true },
    )
  }

  /**
   * The bytes of an archive. It is written while it is read; a reader that leaves early ends it.
   *
   * @param organizationId an existing organization.
   */
  async *bytes(
    organizationId: number,
    type: ArchiveType,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#isClosed) throw new Error(closed)
    const writer = new ArchiveWriter(new Date(this.clock.now()))
    this.#writers.add(writer)
    const writing = this.#write(organizationId, type, writer).catch((error: unknown) => {
      writer.fail(error instanceof Error ? error : new Error(String(error)))
    })
    try {
      // A stream of bytes.
      for await (const chunk of writer.bytes) yield chunk as Uint8Array
    } finally {
      writer.fail(new Error('The archive is not read any more'))
      await writing
      this.#writers.delete(writer)
    }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Ends all exports with an error. */
  close(): void {
    this.#isClosed = true
    for (const writer of this.#writers) writer.fail(new Error(closed))
  }

  async #write(organizationId: number, type: ArchiveType, writer: ArchiveWriter): Promise<void> {
    await this.presences.store(organizationId)
    await this.database.longSnapshot(organizationId, async (scope) => {
      const selection = await this.selections.of(scope, type)
      const entries = new RowEntries(writer)
      const running = { organizationId, scope, selection, writer, entries }
      const organization = await this.#organization(running)
      await writer.write(manifestName, jsonOf(this.#manifest(type, organization)))
      let files = await this.#writeFiles(running, filesOfOrganization(organizationId, organization))
      for (const table of archivedTables.filter(({ of }) => of === undefined)) {
        files += await this.#writeTable(running, table)
      }
      await entries.flush()
      const end: ArchiveEnd = { sha256: writer.digest(), rows: entries.counts(), files }
      await writer.end(endName, jsonOf(end))
    })
  }

  async #organization({ scope, selection }: Export): Promise<ArchivedRow> {
    const row = await this.rows.organization(scope, columnsOf(archivedOrganization))
    if (row === undefined) throw new Error('The organization was deleted')
    return selection.organization(row)
  }

  #manifest(type: ArchiveType, organization: ArchivedRow): ArchiveManifest {
    return {
      format: archiveFormat,
      version: archiveVersion,
      type,
      exported_at_seconds: nowSeconds(this.clock),
      organization,
    }
  }

  /** Writes the rows of a table, each page followed by the rows and files that belong to it. */
  async #writeTable(running: Export, table: ArchivedTable): Promise<number> {
    const children = archivedTables.filter(({ of }) => of?.table === table.name)
    // Emoji with the same image share its file.
    const emojiKeys = new Set<string>()
    let files = 0
    for await (const rows of this.#pages(running, table)) {
      const ids = rows.map(({ id }) => Number(id))
      for (const child of children) {
        for await (const _ of this.#pages(running, child, ids)) {
          // Writing them is all.
        }
      }
      if (!hasFiles(table.name)) continue
      const { organizationId, entries } = running
      const ofPage = filesOfRows(organizationId, table.name, rows).filter(
        ({ key }) => !emojiKeys.has(key),
      )
      if (table.name === 'custom_emoji') for (const { key } of ofPage) emojiKeys.add(key)
      if (ofPage.length > 0) await entries.flush()
      files += await this.#writeFiles(running, ofPage)
    }
    return files
  }

  /** Writes the selected rows of a table, or of owners in another one, in pages. */
  async *#pages(
    { scope, selection, entries }: Export,
    table: ArchivedTable,
    owners: readonly number[] = [],
  ): AsyncGenerator<readonly ArchivedRow[], void, undefined> {
    if (table.of !== undefined && owners.length === 0) return
    const limit = table.name === 'messages' ? messagesPerPage : rowsPerPage
    let page: readonly ArchivedRow[] = []
    do {
      page = await this.rows.page(scope, table, page.at(-1), limit, owners)
      const selected = await selection.select(table.name, page)
      await entries.add(table.name, selected)
      if (selected.length > 0) yield selected
    } while (page.length === limit)
  }

  async #writeFiles({ writer }: Export, files: readonly ArchivedFile[]): Promise<number> {
    let count = 0
    for (const { key, size } of files) {
      const content = await this.files.read(key)
      // Images that could not be resized have no smaller copies.
      if (content === undefined) continue
      count += 1
      if (size === undefined) await writer.write(fileName(key), await buffer(content))
      else await writer.stream(fileName(key), size, content)
    }
    return count
  }
}

function jsonOf(value: ArchiveManifest | ArchiveEnd): Buffer {
  return Buffer.from(JSON.stringify(value))
}
