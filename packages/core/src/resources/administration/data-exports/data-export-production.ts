import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  Database,
  dueIntervalMilliseconds,
  DueRows,
  UnitOfWork,
  type DueReference,
  type OrganizationScope,
} from '../../../storage/index.js'
import { namedText } from '../../../texts/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import {
  MessageSending,
  SystemBotMessages,
  type PreparedMessages,
} from '../../messages/sending/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'
import { OrganizationExport } from '../organization-archive/index.js'
import { DataExportRepository, neverDue } from './data-export-repository.js'
import type { DataExportRow } from './data-exports-table.js'
import { DataExportViews, fileKeyOf } from './data-export-views.js'

/** After this time without progress, another process begins anew. */
const leaseSeconds = 120
const extendAfterSeconds = 30
/** Work that crashes its process is not repeated forever. */
const maxAttempts = 3
const retryDelaySeconds = 60
const secondsPerDay = 24 * 60 * 60

/** The result of an export. */
type Outcome = Pick<DataExportRow, 'file_key' | 'size_bytes'> | 'failed'

/**
 * Produces the requested data exports, and deletes those that have expired. A process leases the
 * row while it writes the archive; if it ends, another one writes a new archive, and the partial
 * file is removed as every file that no row refers to.
 */
@perServer()
export class DataExportProduction implements BackgroundWork {
  readonly name = 'Producing data exports'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly #due: DueRows<DataExportRow>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(DataExportRepository) private readonly rows: DataExportRepository,
    @inject(DataExportViews) private readonly views: DataExportViews,
    @inject(OrganizationExport) private readonly archives: OrganizationExport,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {
    this.#due = new DueRows('data_exports', database, unitOfWork, clock)
  }

  async round(round: Round): Promise<void> {
    await this.#due.processDue(round, (due) => this.#process(due, round.stopping))
  }

  async #process({ id, organization_id }: DueReference, stopping: AbortSignal): Promise<void> {
    const [row] = await this.#due.lease(organization_id, [id], leaseSeconds)
    if (row === undefined) return
    if (row.file_key !== null) await this.#expire(row, row.file_key)
    else if (row.attempts > maxAttempts) await this.#complete(row, 'failed')
    else await this.#produce(row, stopping)
  }

  async #produce(row: DataExportRow, stopping: AbortSignal): Promise<void> {
    const { organization_id, attempts } = row
    const file_key = fileKeyOf(organization_id, randomToken(24))
    const lease = { row, sizeBytes: 0 }
    try {
      await this.files.write(organization_id, file_key, this.#bytes(lease, stopping))
      await this.#complete(lease.row, { file_key, size_bytes: lease.sizeBytes })
    } catch (error) {
      await this.files.abandon(organization_id, file_key)
      // The next process begins anew.
      if (stopping.aborted || this.archives.isClosed)
        return this.#release(lease.row, attempts - 1, 0)
      this.logger.error('A data export could not be produced', { id: row.id, err: error })
      if (attempts >= maxAttempts) await this.#complete(lease.row, 'failed')
      else await this.#release(lease.row, attempts, retryDelaySeconds)
    }
  }

  /** The archive; extends the lease while it is written. */
  async *#bytes(
    lease: { row: DataExportRow; sizeBytes: number },
    stopping: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { organization_id, export_type } = lease.row
    const type = export_type === 1 ? 'public' : 'standard'
    for await (const chunk of this.archives.bytes(organization_id, type)) {
      stopping.throwIfAborted()
      const due_at_seconds = nowSeconds(this.clock) + leaseSeconds
      if (due_at_seconds >= lease.row.due_at_seconds + extendAfterSeconds) {
        await this.#change(lease.row, { due_at_seconds })
        lease.row = { ...lease.row, due_at_seconds }
      }
      lease.sizeBytes += chunk.length
      yield chunk
    }
  }

  async #release(row: DataExportRow, attempts: number, delaySeconds: number): Promise<void> {
    await this.#change(row, { attempts, due_at_seconds: nowSeconds(this.clock) + delaySeconds })
  }

  /** @throws {Error} if another process has leased the row meanwhile. */
  async #change(row: DataExportRow, changes: Partial<DataExportRow>): Promise<void> {
    const isOwn = await this.unitOfWork.run(row.organization_id, (tx) =>
      this.#due.change(tx, row, changes),
    )
    if (!isOwn) throw new Error('Another process produces the data export')
  }

  /** Stores the outcome, notifies the requester, and sends an event to administrators. */
  async #complete(row: DataExportRow, outcome: Outcome): Promise<void> {
    await this.unitOfWork.runPrepared(row.organization_id, this.sending, async (scope) => {
      const now = nowSeconds(this.clock)
      const keepSeconds = this.facts.dataExportKeepDays * secondsPerDay
      const changes =
        outcome === 'failed'
          ? { failed_at_seconds: now, due_at_seconds: neverDue }
          : { ...outcome, due_at_seconds: Math.min(now + keepSeconds, neverDue) }
      return {
        ...(await this.#notice(scope, row, outcome)),
        isCurrent: (tx) => this.#due.isUnchanged(tx, row),
        before: async (tx) => {
          if (!(await this.#due.change(tx, row, changes))) {
            throw new Error('Another process produces the data export')
          }
          if (outcome !== 'failed' && outcome.file_key !== null) {
            await this.files.keep(tx, [outcome.file_key])
          }
        },
        after: (tx) => this.views.emit(tx),
      }
    })
  }

  async #notice(
    scope: OrganizationScope,
    { acting_user_id }: DataExportRow,
    outcome: Outcome,
  ): Promise<Pick<PreparedMessages, 'messages'>> {
    const user = await this.users.find(scope, acting_user_id)
    const { isDeactivated } = await this.organizations.require(scope.organizationId)
    if (outcome === 'failed' || user?.is_active !== true || isDeactivated) return { messages: [] }
    const draft = { to: { user }, content: namedText('DATA_EXPORT_COMPLETE_MESSAGE') }
    return { messages: await this.messages.prepare(scope, 'notification', [draft]) }
  }

  async #expire(row: DataExportRow, fileKey: string): Promise<void> {
    await this.unitOfWork.run(row.organization_id, async (tx) => {
      const deleted_at_seconds = nowSeconds(this.clock)
      const changes = { deleted_at_seconds, file_key: null, due_at_seconds: neverDue }
      if (!(await this.#due.change(tx, row, changes))) return
      await this.files.discard(tx, [fileKey])
      await this.views.emit(tx)
    })
  }
}
