import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ServiceTokens } from '../../accounts/bots/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import { ArchiveRepository } from './archive-repository.js'
import type { ArchivedRow, ArchivedTable } from './archived-tables.js'

/** Small, so that writes of other organizations do not wait long. */
const rowsPerTransaction = 500
/** Encrypting the key of each takes long. */
const usersPerTransaction = 100

/**
 * Added to the time at which a row is due until the import is complete, so that no work is done
 * for it before: some thousand years.
 */
export const dueDelaySeconds = 100_000_000_000
export const dueTables = ['scheduled_messages', 'reminders'] as const

/** Stores the rows of an archive, with new secrets. */
@perServer()
export class ImportRows {
  constructor(
    @inject(ArchiveRepository) private readonly rows: ArchiveRepository,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param requireOwn fails if the rows must not be stored any more. */
  async insert(
    organizationId: number,
    { name }: ArchivedTable,
    rows: readonly ArchivedRow[],
    requireOwn: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const limit = name === 'users' ? usersPerTransaction : rowsPerTransaction
    for (const chunk of chunksOf(rows, limit)) {
      const stored = chunk.map((row) => this.#stored(name, row))
      await this.unitOfWork.run(organizationId, async (tx) => {
        await requireOwn(tx)
        await this.rows.insert(tx, name, stored)
      })
    }
  }

  #stored(table: string, row: ArchivedRow): ArchivedRow {
    if (table === 'users') {
      return { ...row, password_hash: null, ...this.apiKeys.toStored(this.apiKeys.create()) }
    }
    if (table === 'bot_details') {
      const hasService = row['service_base_url'] !== null
      return { ...row, service_token_sealed: hasService ? this.serviceTokens.toStored() : null }
    }
    const due = row['due_at_seconds']
    return typeof due === 'number' ? { ...row, due_at_seconds: due + dueDelaySeconds } : row
  }
}
