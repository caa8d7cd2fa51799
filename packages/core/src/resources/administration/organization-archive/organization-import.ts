import { buffer } from 'node:stream/consumers'

import { inject } from 'tsyringe'

import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { isRecord } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { SearchIndex } from '../../messages/search-index/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UnwrittenMessages } from '../../channels/unwritten-messages/index.js'
import { OrganizationDeletion, requireSubdomain } from '../organization-lifecycle/index.js'
import { OrganizationArchiveError, ArchiveReader, type ArchiveEntry } from './archive-reader.js'
import {
  archiveFormat,
  archiveVersion,
  endName,
  manifestName,
  maxRowBytesPerEntry,
  rowsPattern,
} from './archive-format.js'
import { type ArchivedRow, type ArchivedTable, archivedTables } from './archived-tables.js'
import { filesOfOrganization, filesOfRows, hasFiles, type ArchivedFile } from './archived-files.js'
import { ImportRepository } from './import-repository.js'
import { dueDelaySeconds, dueTables, ImportRows } from './import-rows.js'
import { ImportedFiles } from './imported-files.js'
import { KnownRows } from './known-rows.js'
import { RowCheck } from './row-check.js'

/** After this time without progress, another process deletes the imported data. */
const leaseSeconds = 15 * 60
const extendAfterSeconds = 60

const tables: ReadonlyMap<string, ArchivedTable> = new Map(
  archivedTables.map((table) => [table.name, table]),
)

/** How an archive is imported. */
export interface ImportOptions {
  /** The subdomain of the new organization; default: that of the exported one. */
  readonly subdomain?: string
}

/** An organization that was imported. */
export interface ImportedOrganization {
  readonly organizationId: number
}

/** One import. */
interface Import {
  readonly reader: ArchiveReader
  readonly known: KnownRows
  readonly check: RowCheck
  readonly counts: Map<string, number>
  /** The files of the last rows, by key. */
  readonly expected: Map<string, ArchivedFile>
  /** Distinguishes this import from others of the same archive. */
  readonly epoch: string
  organization: ArchivedRow | undefined
  files: number
  uploadBytes: number
  extendedAtSeconds: number
  isComplete: boolean
}

/**
 * Loads archives, as they arrive. Until the last transaction, nothing finds the organization: its
 * row says that it is being imported. It is deleted when the import fails, and by any process if
 * the one that imports ends.
 */
@perServer()
export class OrganizationImport {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ImportRepository) private readonly imports: ImportRepository,
    @inject(ImportRows) private readonly rows: ImportRows,
    @inject(ImportedFiles) private readonly files: ImportedFiles,
    @inject(OrganizationDeletion) private readonly deletion: OrganizationDeletion,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
    @inject(UnwrittenMessages) private readonly unwrittenMessages: UnwrittenMessages,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async load(
    source: AsyncIterable<Uint8Array>,
    options: ImportOptions = {},
  ): Promise<ImportedOrganization> {
    if (options.subdomain !== undefined) requireSubdomain(options.subdomain)
    const known = new KnownRows()
    const running: Import = {
      reader: new ArchiveReader(source),
      known,
      check: new RowCheck(known),
      counts: new Map(),
      expected: new Map(),
      epoch: randomToken(6).replaceAll('-', '_'),
      organization: undefined,
      files: 0,
      uploadBytes: 0,
      extendedAtSeconds: nowSeconds(this.clock),
      isComplete: false,
    }
    try {
      for await (const entry of running.reader.entries()) {
        if (running.isComplete) throw wrong(entry.name, 'follows the end')
        await this.#readEntry(running, entry, options)
      }
      if (!running.isComplete) throw wrong(endName, 'is missing: the archive is incomplete')
      return { organizationId: await this.#complete(running) }
    } catch (error) {
      if (running.organization !== undefined) await this.#undo(running, running.organization)
      throw error
    }
  }

  /** Deletes the imported data, unless another import or a deletion has taken its place. */
  async #undo({ epoch }: Import, organization: ArchivedRow): Promise<void> {
    const id = idOf(organization)
    const isOwn = await this.unitOfWork.run(id, (tx) => this.imports.end(tx, epoch))
    if (isOwn) await this.deletion.deleteAll(id)
  }

  async #readEntry(running: Import, entry: ArchiveEntry, options: ImportOptions): Promise<void> {
    const { name } = entry
    if (running.organization === undefined) {
      if (name !== manifestName) throw wrong(name, `must follow ${manifestName}`)
      running.organization = await this.#begin(running, await jsonOf(entry), options)
    } else if (name === endName) {
      requireEnd(running, await jsonOf(entry))
    } else if (name.startsWith('files/')) {
      const content = this.#extending(running, entry.content)
      await this.files.store(idOf(running.organization), { ...entry, content }, running.expected)
      running.files += 1
    } else {
      await this.#insertRows(running, running.organization, entry)
    }
    await this.#extend(running)
  }

  /** Inserts the organization, which nothing finds yet. */
  async #begin(running: Import, manifest: unknown, options: ImportOptions): Promise<ArchivedRow> {
    const { format, version, organization: row } = isRecord(manifest) ? manifest : {}
    if (format !== archiveFormat) throw wrong(manifestName, 'is not of an organization')
    if (version !== archiveVersion) {
      throw wrong(manifestName, `has the version ${String(version)} instead of ${archiveVersion}`)
    }
    const organization = running.check.organization(`${manifestName}/organization`, row)
    const subdomain = options.subdomain ?? String(organization['subdomain'])
    requireSubdomain(subdomain)
    const inserted = {
      ...organization,
      subdomain,
      is_deactivated: true,
      upload_bytes: 0,
      epoch: running.epoch,
      importing_until_seconds: nowSeconds(this.clock) + leaseSeconds,
    }
    try {
      await this.unitOfWork.run(0, (tx) => this.imports.insert(tx, inserted))
    } catch (error) {
      if (!this.database.dialect.isUniqueViolation(error)) throw error
      throw badRequest('ORGANIZATION_IMPORT_TAKEN')
    }
    for (const file of filesOfOrganization(idOf(organization), organization)) {
      running.expected.set(file.key, file)
    }
    return organization
  }

  async #insertRows(
    running: Import,
    organization: ArchivedRow,
    entry: ArchiveEntry,
  ): Promise<void> {
    const { name, size, content } = entry
    const table = tables.get(rowsPattern.exec(name)?.[1] ?? '')
    if (table === undefined) throw wrong(name, 'is not known')
    if (size > maxRowBytesPerEntry) throw wrong(name, 'is too long')
    const text = (await buffer(content)).toString()
    const rows = await running.check.rows(name, table, text)
    const id = idOf(organization)
    try {
      await this.rows.insert(id, table, rows, (tx) => this.#requireOwn(running, tx))
    } catch (error) {
      if (!this.database.dialect.isUniqueViolation(error)) throw error
      throw wrong(name, 'has ids that are in use, or a row twice')
    }
    running.counts.set(table.name, (running.counts.get(table.name) ?? 0) + rows.length)
    if (!hasFiles(table.name)) return
    running.expected.clear()
    for (const file of filesOfRows(id, table.name, rows)) running.expected.set(file.key, file)
    if (table.name !== 'attachments') return
    for (const { size_bytes } of rows) running.uploadBytes += Number(size_bytes)
  }

  async #extend(running: Import): Promise<void> {
    const now = nowSeconds(this.clock)
    if (
      running.organization === undefined ||
      now < running.extendedAtSeconds + extendAfterSeconds
    ) {
      return
    }
    running.extendedAtSeconds = now
    const id = idOf(running.organization)
    await this.unitOfWork.run(id, (tx) => this.#requireOwn(running, tx))
  }

  /** Extends the time of the import. @throws {Error} if it was ended. */
  async #requireOwn({ epoch }: Import, tx: Transaction): Promise<void> {
    const untilSeconds = nowSeconds(this.clock) + leaseSeconds
    if (!(await this.imports.extend(tx, epoch, untilSeconds))) throw lost()
  }

  /** A large file may take longer than an import without progress. */
  async *#extending(
    running: Import,
    content: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      await this.#extend(running)
      yield chunk
    }
  }

  /** Makes the organization one that is found. */
  async #complete({ organization, counts, epoch, uploadBytes, known }: Import): Promise<number> {
    if (organization === undefined) throw wrong(manifestName, 'is missing')
    const problems = known.problems()
    if (problems.length > 0) throw new OrganizationArchiveError(problems)
    const id = idOf(organization)
    await this.unwrittenMessages.noteAllWritten(id)
    await this.unitOfWork.run(id, async (tx) => {
      await this.searchIndex.begin(tx, (counts.get('messages') ?? 0) > 0)
      for (const table of dueTables) await this.imports.endDelay(tx, table, dueDelaySeconds)
      const changes = {
        is_deactivated: organization['is_deactivated'] ?? false,
        upload_bytes: uploadBytes,
      }
      if (!(await this.imports.complete(tx, epoch, changes))) throw lost()
    })
    this.organizations.forgetNames()
    return id
  }
}

/** @throws {OrganizationArchiveError} unless everything was read that was written. */
function requireEnd(running: Import, end: unknown): void {
  const { sha256, rows, files } = isRecord(end) ? end : {}
  const counts = isRecord(rows) ? rows : {}
  const isSame =
    sha256 === running.reader.digest() &&
    files === running.files &&
    Object.keys(counts).length === running.counts.size &&
    [...running.counts].every(([table, count]) => counts[table] === count)
  if (!isSame) throw wrong(endName, 'does not match what was read: the archive was changed')
  running.isComplete = true
}

async function jsonOf({ name, size, content }: ArchiveEntry): Promise<unknown> {
  if (size > maxRowBytesPerEntry) throw wrong(name, 'is too long')
  const text = (await buffer(content)).toString()
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(name, 'must be JSON')
  }
}

function idOf({ id }: ArchivedRow): number {
  return Number(id)
}

function wrong(name: string, problem: string): OrganizationArchiveError {
  return new OrganizationArchiveError([`${name}: ${problem}`])
}

function lost(): Error {
  return new Error('The import took too long without progress, and was ended')
}
