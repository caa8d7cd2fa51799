import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { eachOrganization, OrganizationRepository } from '../../organization/organizations/index.js'
import { AuditRepository } from './audit-repository.js'

const secondsPerDay = 86_400
const rowsPerBatch = 500

/** Deletes rows of the audit trail that are no longer kept; any process can do it. */
@perServer()
export class AuditRetention implements BackgroundWork {
  readonly name = 'Deleting old rows of the audit trail'
  /** A row may remain this much longer than the retention time. */
  readonly intervalMilliseconds = 2 * 60 * 60 * 1000
  readonly isOff: boolean

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(AuditRepository) private readonly rows: AuditRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {
    this.isOff = facts.auditRetentionDays === Infinity
  }

  async round(round: Round): Promise<void> {
    const before = nowSeconds(this.clock) - this.facts.auditRetentionDays * secondsPerDay
    await eachOrganization(this.organizations, round, async (id) => {
      let ids: readonly number[] = []
      do {
        if (round.stopping.aborted) return
        ids = await this.rows.listIdsBefore(this.database.read(id), before, rowsPerBatch)
        const old = ids
        if (old.length === 0) return
        await this.unitOfWork.run(id, (tx) => this.rows.delete(tx, old), { skipWriteLock: true })
      } while (ids.length === rowsPerBatch)
    })
  }
}
