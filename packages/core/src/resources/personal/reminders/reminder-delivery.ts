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
  type OrganizationScope,
} from '../../../storage/index.js'
import {
  DueMessages,
  MessageSending,
  SystemBotMessages,
  type PreparedMessages,
} from '../../messages/sending/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'
import { ReminderContents } from './reminder-contents.js'
import { reminderRemoved } from './reminder-events.js'
import { reminders, type ReminderRow } from './reminders-table.js'

/** Sends the reminders that are due, however late; see {@link DueMessages}. */
@perServer()
export class ReminderDelivery implements BackgroundWork {
  readonly name = 'Sending reminders'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly #rows: DueRows<ReminderRow>
  readonly #messages: DueMessages<ReminderRow>

  constructor(
    @inject(ReminderContents) private readonly contents: ReminderContents,
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(MessageSending) sending: MessageSending,
    @inject(Database) database: Database,
    @inject(UnitOfWork) unitOfWork: UnitOfWork,
    @inject(ClockToken) clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#rows = new DueRows('reminders', database, unitOfWork, clock)
    this.#messages = new DueMessages(this.#rows, this, sending, database, unitOfWork)
  }

  async round(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#messages.send(due))
  }

  async prepare(scope: OrganizationScope, row: ReminderRow): Promise<PreparedMessages> {
    const owner = await this.users.find(scope, row.user_id)
    const organization = await this.organizations.require(scope.organizationId)
    if (owner === undefined || !owner.is_active || organization.isDeactivated) {
      return { messages: [] }
    }
    const actor = actorOf(owner)
    // The message may have been edited or moved, or the owner may no longer have access to it.
    const content = await this.contents.write(scope, actor, row)
    const draft = { to: { user: owner }, content }
    return {
      messages: await this.messages.prepare(scope, 'notification', [draft], actor),
      after: async (tx) => {
        await tx.rows(reminders).delete({ id: row.id })
        tx.emit(reminderRemoved({ userIds: [owner.id] }, { reminder_id: row.id }))
      },
    }
  }

  /** The reminder stays in the list of its owner. */
  async prepareFailure(
    _scope: OrganizationScope,
    { id }: ReminderRow,
    error: unknown,
  ): Promise<PreparedMessages> {
    this.logger.error('A reminder could not be sent', { id, err: error })
    return { messages: [] }
  }
}
