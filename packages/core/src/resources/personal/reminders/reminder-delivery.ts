import { inject } from 'tsyringe'

import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  Database,
  dueIntervalMilliseconds,
  DueRows,
  UnitOfWork,
  type DueReference,
  type Transaction,
} from '../../../storage/index.js'
import { SystemBotMessages } from '../../messages/sending/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'
import { ReminderContents } from './reminder-contents.js'
import { reminderRemoved } from './reminder-events.js'
import { ReminderRepository, type ReminderRow } from './reminder-repository.js'

/**
 * Sends the reminders that are due, however late. Each is sent and deleted in one transaction that
 * locks its row, so it is sent exactly once, even with several processes.
 */
@perServer()
export class ReminderDelivery implements BackgroundWork {
  readonly name = 'Sending reminders'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly #rows: DueRows<ReminderRow>

  constructor(
    @inject(ReminderRepository) private readonly reminders: ReminderRepository,
    @inject(ReminderContents) private readonly contents: ReminderContents,
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(Database) database: Database,
    @inject(UnitOfWork) unitOfWork: UnitOfWork,
    @inject(ClockToken) clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#rows = new DueRows('reminders', database, unitOfWork, clock)
  }

  async round(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#deliver(due))
  }

  async #deliver(due: DueReference): Promise<void> {
    await this.#rows.processInTransaction(
      due,
      (tx, row) => this.#send(tx, row),
      (error) => {
        this.logger.error('A reminder could not be sent', { id: due.id, err: error })
        return (tx, { id }) => this.reminders.setFailed(tx, id)
      },
    )
  }

  async #send(tx: Transaction, row: ReminderRow): Promise<void> {
    const owner = await this.users.find(tx, row.user_id)
    const organization = await this.organizations.require(tx.organizationId)
    if (owner === undefined || !owner.is_active || organization.isDeactivated) {
      await this.reminders.setFailed(tx, row.id)
      return
    }
    const actor = actorOf(owner)
    // The message may have been edited or moved, or the owner may no longer have access to it.
    const current = await this.contents.find(tx, actor, row.message_id, row.note)
    const content = current ?? row.content
    await this.messages.send(tx, 'notification', [{ to: { user: owner }, content }], actor)
    await this.reminders.delete(tx, row.id)
    tx.emit(reminderRemoved({ userIds: [owner.id] }, { reminder_id: row.id }))
  }
}
