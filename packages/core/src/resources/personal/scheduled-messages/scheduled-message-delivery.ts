import { inject } from 'tsyringe'

import { ChatError, namedText, type NamedText } from '../../../errors/index.js'
import type { OrganizationState } from '../../../events/log/organization-changes.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { present } from '../../../kernel/present.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  Database,
  dueIntervalMilliseconds,
  DueRows,
  UnitOfWork,
  type OrganizationScope,
} from '../../../storage/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import { ScheduledNotificationMessages } from '../../messages/notification-messages/index.js'
import {
  draftOf,
  DueMessages,
  MessagePreparation,
  MessageSending,
  type PreparedMessages,
} from '../../messages/sending/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'
import {
  scheduledMessageRemoved,
  scheduledMessageUpdated,
  scheduledMessageOf,
} from './scheduled-message-events.js'
import { scheduledMessages, type ScheduledMessageRow } from './scheduled-messages-table.js'
import { messageRequestOf, requestOf } from './scheduled-message-requests.js'

/** Messages that are later than this are not sent. */
const maxLateSeconds = 600

/** Sends the scheduled messages that are due; see {@link DueMessages}. */
@perServer()
export class ScheduledMessageDelivery implements BackgroundWork {
  readonly name = 'Sending scheduled messages'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly #rows: DueRows<ScheduledMessageRow>
  readonly #messages: DueMessages<ScheduledMessageRow>

  constructor(
    @inject(MessagePreparation) private readonly preparation: MessagePreparation,
    @inject(ScheduledNotificationMessages)
    private readonly notificationMessages: ScheduledNotificationMessages,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(MessageSending) sending: MessageSending,
    @inject(Database) database: Database,
    @inject(UnitOfWork) unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#rows = new DueRows('scheduled_messages', database, unitOfWork, clock)
    this.#messages = new DueMessages(this.#rows, this, sending, database, unitOfWork)
  }

  async round(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#messages.send(due))
  }

  async prepare(
    scope: OrganizationScope,
    row: ScheduledMessageRow,
    state?: OrganizationState,
  ): Promise<PreparedMessages> {
    const sender = await this.users.find(scope, row.user_id)
    const organization = await this.organizations.require(scope.organizationId)
    if (sender === undefined || !sender.is_active || organization.isDeactivated) {
      // No event or message: the sender or the organization is deactivated.
      const failure = 'DEACTIVATED'
      return {
        messages: [],
        before: async (tx) =>
          void (await tx.rows(scheduledMessages).update({ id: row.id }, { failure })),
      }
    }
    if (nowSeconds(this.clock) - row.deliver_at_seconds > maxLateSeconds) {
      return this.#prepareFailure(scope, row, namedText('SCHEDULED_MESSAGE_LATE'))
    }
    const draft = draftOf(messageRequestOf(requestOf(row)))
    const message = await this.preparation.prepare(scope, actorOf(sender), draft, state)
    return {
      messages: [message],
      after: async (tx, [sent]) => {
        const sent_message_id = present(sent, 'the sent message').id
        await tx.rows(scheduledMessages).update({ id: row.id }, { sent_message_id })
        await this.attachments.releaseScheduled(tx, row.id)
        tx.emit(
          scheduledMessageRemoved({ userIds: [row.user_id] }, { scheduled_message_id: row.id }),
        )
      },
    }
  }

  async prepareFailure(
    scope: OrganizationScope,
    row: ScheduledMessageRow,
    error: unknown,
  ): Promise<PreparedMessages> {
    if (error instanceof ChatError) {
      return this.#prepareFailure(scope, row, error.text ?? error.message)
    }
    this.logger.error('A scheduled message could not be sent', { id: row.id, err: error })
    return this.#prepareFailure(scope, row, namedText('INTERNAL_SERVER_ERROR'))
  }

  async #prepareFailure(
    scope: OrganizationScope,
    row: ScheduledMessageRow,
    reason: string | NamedText,
  ): Promise<PreparedMessages> {
    // Without its values, which name other users and channels.
    const failure = typeof reason === 'string' ? 'OTHER' : reason.name
    const owner = await this.users.find(scope, row.user_id)
    return {
      messages:
        owner?.is_active === true
          ? await this.notificationMessages.failed(scope, owner, row.deliver_at_seconds, reason)
          : [],
      before: async (tx) => {
        await tx.rows(scheduledMessages).update({ id: row.id }, { failure })
        const scheduled_message = scheduledMessageOf({ ...row, failure, due_at_seconds: null })
        tx.emit(scheduledMessageUpdated({ userIds: [row.user_id] }, { scheduled_message }))
      },
    }
  }
}
