import type { Readable } from 'node:stream'

import { inject } from 'tsyringe'

import { createdValues, deletedValues } from '../../../domain/organizations/audit-actions.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { Background } from '../../../kernel/background.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, standInDomain, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import { DataExportProduction } from './data-export-production.js'
import { DataExportRepository, neverDue } from './data-export-repository.js'
import type { DataExport } from './data-export-events.js'
import { archiveName, DataExportViews, fileKeyOf } from './data-export-views.js'
import { dataExports } from './data-exports-table.js'

export { archiveName }

/** 1 public, 2 standard. */
export const exportTypes = [1, 2] as const
export type ExportType = (typeof exportTypes)[number]

const maxPerPeriod = 5
const periodSeconds = 7 * 24 * 60 * 60

/** The values in a download link. */
interface DownloadLink {
  readonly realm_id: number
  readonly export_token: string
  readonly filename: string
}

/** The data exports that administrators request. */
@perServer()
export class DataExportService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(DataExportRepository) private readonly rows: DataExportRepository,
    @inject(DataExportViews) private readonly views: DataExportViews,
    @inject(DataExportProduction) private readonly production: DataExportProduction,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Background) private readonly background: Background,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async list(actor: Actor): Promise<DataExport[]> {
    return this.views.list(this.database.read(actor.organizationId))
  }

  /**
   * Requests an export, and sends an event to administrators.
   *
   * @returns its id.
   * @throws {ChatError} `BAD_REQUEST` if there were too many in the last seven days, or the
   *   organization has too many messages.
   */
  async request(actor: Actor, export_type: ExportType): Promise<number> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      const now = nowSeconds(this.clock)
      if ((await this.rows.countSince(tx, now - periodSeconds)) >= maxPerPeriod) {
        throw badRequest('DATA_EXPORT_LIMIT')
      }
      if (await this.rows.hasMoreMessages(tx, this.facts.dataExportMaxMessages)) {
        const contact = `zulip-admin@${standInDomain(this.facts)}`
        throw badRequest('DATA_EXPORT_TOO_LARGE', { contact })
      }
      const id = await tx.rows(dataExports).insert({
        acting_user_id: actor.userId,
        export_type,
        requested_at_seconds: now,
        failed_at_seconds: null,
        deleted_at_seconds: null,
        file_key: null,
        size_bytes: null,
        attempts: 0,
        due_at_seconds: now,
      })
      const changes = createdValues({ export_id: id, export_type })
      tx.audit({ action: 'organization.export_requested', changes })
      await this.views.emit(tx)
      tx.afterCommit(() => this.background.wake(this.production))
      return id
    })
  }

  /** Which human users allow the export of their private data. */
  async consents(actor: Actor): Promise<{ user_id: number; consented: boolean }[]> {
    const humans = await this.rows.listHumans(this.database.read(actor.organizationId))
    return humans.map(({ id, settings }) => ({
      user_id: id,
      consented: parseUserSettings(settings).allow_private_data_export,
    }))
  }

  /** @throws {ChatError} `BAD_REQUEST` unless it is complete and not deleted. */
  async delete(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const row = await tx.rows(dataExports).lock({ id })
      if (row === undefined) throw badRequest('DATA_EXPORT_UNKNOWN')
      if (row.deleted_at_seconds !== null) throw badRequest('DATA_EXPORT_DELETED')
      if (row.failed_at_seconds !== null) throw badRequest('DATA_EXPORT_FAILED')
      if (row.file_key === null) throw badRequest('DATA_EXPORT_IN_PROGRESS')
      await this.files.discard(tx, [row.file_key])
      const deleted_at_seconds = nowSeconds(this.clock)
      const changes = { deleted_at_seconds, file_key: null, due_at_seconds: neverDue }
      await tx.rows(dataExports).update({ id }, changes)
      const deleted = deletedValues({ export_id: id, export_type: row.export_type })
      tx.audit({ action: 'organization.export_deleted', changes: deleted })
      await this.views.emit(tx)
    })
  }

  /** @throws {ChatError} `ROUTE_NOT_FOUND` if there is no such file. */
  async read(
    { organizationId }: Actor,
    { realm_id, export_token, filename }: DownloadLink,
  ): Promise<{ content: Readable; sizeBytes: number }> {
    const isOwn = realm_id === organizationId && filename === archiveName
    const key = fileKeyOf(organizationId, export_token)
    const scope = this.database.read(organizationId)
    const row = isOwn ? await scope.rows(dataExports).find({ file_key: key }) : undefined
    const content = row === undefined ? undefined : await this.files.read(key)
    if (row === undefined || content === undefined) throw new ChatError('ROUTE_NOT_FOUND')
    return { content, sizeBytes: row.size_bytes ?? 0 }
  }
}
