import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { Database, DueRows, UnitOfWork, type DueReference } from '../../../storage/index.js'
import { Mailer } from '../../accounts/email-changes/index.js'
import { UnwrittenMessages } from '../../channels/unwritten-messages/index.js'
import { NotificationMailRulesToken, type NotificationMailRules } from '../mails/index.js'
import { DigestComposer } from './digest-composer.js'
import type { DigestRow } from './digests-table.js'
import { DigestSchedule } from './digest-schedule.js'

const queueingIntervalSeconds = 3600
const atOnce = 5
/** Longer than sending a mail may take. */
const leaseSeconds = 180
const maxAttempts = 5
const retryDelaySeconds = 600
/** A row is kept for so long after its decision: until after the end of its day everywhere. */
const keptSeconds = 5 * 86_400

/** Sends digests, at least once each. */
@perServer()
export class DigestDelivery implements BackgroundWork {
  readonly name = 'Digests'
  readonly intervalMilliseconds = 90_000
  readonly isOff: boolean
  readonly #rows: DueRows<DigestRow>
  #nextQueueingSeconds = 0

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(DigestSchedule) private readonly schedule: DigestSchedule,
    @inject(DigestComposer) private readonly composer: DigestComposer,
    @inject(Mailer) private readonly mailer: Mailer,
    @inject(UnwrittenMessages) private readonly unwrittenMessages: UnwrittenMessages,
    @inject(NotificationMailRulesToken) rules: NotificationMailRules,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.isOff = !rules.isOn
    this.#rows = new DueRows('digests', database, unitOfWork, clock)
  }

  async round(round: Round): Promise<void> {
    await this.#processDue(round)
    const now = nowSeconds(this.clock)
    if (now < this.#nextQueueingSeconds) return
    // Rows of an earlier week may be among those that are deleted.
    await this.#rows.idle()
    await this.schedule.queue(round.stopping)
    this.#nextQueueingSeconds = now + queueingIntervalSeconds
    await this.#processDue(round)
  }

  async end(): Promise<void> {
    await this.#rows.idle()
  }

  async #processDue(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#deliver(due, round.stopping), atOnce)
  }

  async #deliver({ id, organization_id }: DueReference, stopping: AbortSignal): Promise<void> {
    const [row] = await this.#rows.lease(organization_id, [id], leaseSeconds)
    if (row === undefined) return
    if (row.decided_at_seconds !== null) {
      await this.unitOfWork.run(organization_id, (tx) => this.#rows.delete(tx, [row]), {
        skipWriteLock: true,
      })
      return
    }
    const mail = row.attempts > maxAttempts ? undefined : await this.#compose(row)
    const isSent = mail !== undefined && (await this.mailer.trySendInTime(mail, stopping))
    const now = nowSeconds(this.clock)
    if (mail !== undefined && !isSent) {
      // It is due again when the lease ends.
      if (stopping.aborted) return
      if (row.attempts < maxAttempts) {
        await this.#change(row, { due_at_seconds: now + retryDelaySeconds * row.attempts })
        return
      }
      this.logger.warn('A digest was given up', { userId: row.user_id })
    }
    await this.#change(row, { decided_at_seconds: now, due_at_seconds: now + keptSeconds })
  }

  async #compose(row: DigestRow): ReturnType<DigestComposer['compose']> {
    const receiver = { organizationId: row.organization_id, userId: row.user_id }
    await this.unwrittenMessages.write(receiver)
    return this.composer.compose(this.database.read(row.organization_id), row)
  }

  async #change(row: DigestRow, changes: Partial<DigestRow>): Promise<void> {
    await this.unitOfWork.run(row.organization_id, (tx) => this.#rows.change(tx, row, changes), {
      skipWriteLock: true,
    })
  }
}
