import { inject } from 'tsyringe'

import { ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  Database,
  dueIntervalMilliseconds,
  DueRows,
  UnitOfWork,
  type DueReference,
  type Transaction,
} from '../../../storage/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import { draftOf, MessagePreparation, MessageSender } from '../../messages/sending/index.js'
import { ScheduledNotificationMessages } from '../../messages/notification-messages/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'
import { scheduledMessageRemoved, scheduledMessageUpdated } from './scheduled-message-events.js'
import {
  ScheduledMessageRepository,
  type ScheduledMessageRow,
} from './scheduled-message-repository.js'
import { scheduledMessageOf } from './scheduled-message-schemas.js'
import { messageRequestOf, requestOf } from './scheduled-message-service.js'

/** Messages that are later than this are not sent. */
const maxLateSeconds = 600

/**
 * Sends the scheduled messages that are due.
 *
 * Each message is sent and marked as sent in one transaction that locks its row. So it is sent
 * exactly once, even with several processes or after a crash, and a concurrent edit waits for the
 * lock.
 */
@perServer()
export class ScheduledMessageDelivery implements BackgroundWork {
  readonly name = 'Sending scheduled messages'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly #rows: DueRows<ScheduledMessageRow>

  constructor(
    @inject(ScheduledMessageRepository) private readonly scheduled: ScheduledMessageRepository,
    @inject(MessagePreparation) private readonly preparation: MessagePreparation,
    @inject(MessageSender) private readonly sender: MessageSender,
    @inject(ScheduledNotificationMessages)
    private readonly notificationMessages: ScheduledNotificationMessages,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(Database) database: Database,
    @inject(UnitOfWork) unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#rows = new DueRows('scheduled_messages', database, unitOfWork, clock)
  }

  async round(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#deliver(due))
  }

  async #deliver(due: DueReference): Promise<void> {
    await this.#rows.processInTransaction(
      due,
      (tx, row) => this.#send(tx, row),
      (error) => {
        if (error instanceof ChatError) return (tx, row) => this.#fail(tx, row, error.message)
        this.logger.error('A scheduled message could not be sent', { id: due.id, err: error })
        return (tx, row) => this.#fail(tx, row, 'Internal server error')
      },
    )
  }

  async #send(tx: Transaction, row: ScheduledMessageRow): Promise<void> {
    const sender = await this.users.find(tx, row.user_id)
    const organization = await this.organizations.require(tx.organizationId)
    if (sender === undefined || !sender.is_active || organization.isDeactivated) {
      // No event or message: the sender or the organization is deactivated.
      await this.scheduled.update(tx, row.id, { due_at_seconds: null, failure: 'Deactivated' })
      return
    }
    if (nowSeconds(this.clock) - row.deliver_at_seconds > maxLateSeconds) {
      await this.#fail(tx, row, 'Message could not be sent at the scheduled time.')
      return
    }
    const draft = draftOf(messageRequestOf(requestOf(row)))
    const prepared = await this.preparation.prepare(tx, actorOf(sender), draft)
    const [sent] = await this.sender.send(tx, [prepared])
    const sent_message_id = present(sent, 'the sent message').id
    await this.scheduled.update(tx, row.id, { due_at_seconds: null, sent_message_id })
    await this.attachments.releaseScheduled(tx, row.id)
    tx.emit(scheduledMessageRemoved({ userIds: [row.user_id] }, { scheduled_message_id: row.id }))
  }

  async #fail(tx: Transaction, row: ScheduledMessageRow, reason: string): Promise<void> {
    const failure = { due_at_seconds: null, failure: reason.slice(0, 500) }
    await this.scheduled.update(tx, row.id, failure)
    tx.emit(
      scheduledMessageUpdated(
        { userIds: [row.user_id] },
        { scheduled_message: scheduledMessageOf({ ...row, ...failure }) },
      ),
    )
    const owner = await this.users.find(tx, row.user_id)
    if (owner?.is_active)
      await this.notificationMessages.failed(tx, owner, row.deliver_at_seconds, reason)
  }
}
