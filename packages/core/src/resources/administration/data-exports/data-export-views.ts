import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { BotManagerRepository } from '../../people/users/index.js'
import { dataExportsChanged, type DataExport } from './data-export-events.js'
import { DataExportRepository } from './data-export-repository.js'
import type { DataExportRow } from './data-exports-table.js'

/** The name of every downloaded archive. */
export const archiveName = 'export.tar.gz'

/** @param token unguessable. */
export function fileKeyOf(organizationId: number, token: string): string {
  return `${organizationId}/exports/${token}`
}

/** Data exports as administrators see them. */
@perServer()
export class DataExportViews {
  constructor(
    @inject(DataExportRepository) private readonly rows: DataExportRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  async list(scope: OrganizationScope): Promise<DataExport[]> {
    return (await this.rows.list(scope)).map((row) => this.#view(row))
  }

  /** Sends all exports to the human administrators, because one has changed. */
  async emit(tx: Transaction): Promise<void> {
    const userIds = await this.managers.listAdministrators(tx)
    tx.emit(dataExportsChanged({ userIds }, { exports: await this.list(tx) }))
  }

  #view(row: DataExportRow): DataExport {
    const { file_key, deleted_at_seconds, failed_at_seconds } = row
    return {
      id: row.id,
      acting_user_id: row.acting_user_id,
      export_time: row.requested_at_seconds,
      deleted_timestamp: deleted_at_seconds,
      failed_timestamp: failed_at_seconds,
      export_url: file_key === null ? null : this.#url(file_key),
      pending: file_key === null && deleted_at_seconds === null && failed_at_seconds === null,
      export_type: row.export_type,
    }
  }

  #url(fileKey: string): string {
    const [realmId, , token] = fileKey.split('/')
    return this.facts.address.file(`/user_uploads/exports/${realmId}/${token}/${archiveName}`)
  }
}
