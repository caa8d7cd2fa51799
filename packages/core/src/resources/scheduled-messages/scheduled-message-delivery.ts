import { inject } from 'tsyringe'

import { ChatError } from '../../errors/index.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { PeriodicTask } from '../../kernel/periodic-task.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { AttachmentClaims } from '../attachments/index.js'
import { MessageService, prepareMessage } from '../messages/index.js'
import { ScheduledNotices } from '../notices/index.js'
import { OrganizationService } from '../organizations/index.js'
import { actorOf, UserRepository } from '../users/index.js'
import { scheduledMessageRemoved, scheduledMessageUpdated } from './scheduled-message-events.js'
import {
  ScheduledMessageRepository,
  type ScheduledMessageRow,
} from './scheduled-message-repository.js'
import { scheduledMessageOf } from './scheduled-message-schemas.js'
import { draftOf, requestOf } from './scheduled-message-service.js'

/** How often what is due is looked for; how late a message may be, therefore. */
const intervalMilliseconds = 10_000
const batchSize = 100
/** What is later than this was missed, not delayed. */
const maxLateSeconds = 600

/**
 * Sends what is due.
 *
 * Each message is sent and marked in one transaction that holds its row, so however many processes
 * work at once, and wherever one of them ends, it is sent exactly once; and whoever edits it waits
 * for the same row.
 */
@perServer()
export class ScheduledMessageDelivery {
  readonly #task: PeriodicTask

  constructor(
    @inject(ScheduledMessageRepository) private readonly scheduled: ScheduledMessageRepository,
    @inject(MessageService) private readonly messages: MessageService,
    @inject(ScheduledNotices) private readonly notices: ScheduledNotices,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#task = new PeriodicTask(
      clock,
      intervalMilliseconds,
      (isStopped) => this.#deliverDue(isStopped),
      (cause) => logger.warn('Sending scheduled messages failed', { cause }),
    )
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  /** Sends everything that is due. */
  async #deliverDue(isStopped: () => boolean): Promise<void> {
    for (;;) {
      const due = await this.scheduled.listDue(nowSeconds(this.clock), batchSize)
      for (const { id, organization_id } of due) {
        if (isStopped()) return
        await this.#deliver(organization_id, id)
      }
      if (due.length < batchSize) return
    }
  }

  async #deliver(organizationId: number, id: number): Promise<void> {
    try {
      await this.unitOfWork.run(organizationId, (tx) => this.#send(tx, id))
    } catch (error) {
      if (!(error instanceof ChatError)) {
        this.logger.error('A scheduled message could not be sent', { id, cause: error })
      }
      const reason = error instanceof ChatError ? error.message : 'Internal server error'
      await this.unitOfWork.run(organizationId, (tx) => this.#fail(tx, id, reason))
    }
  }

  async #send(tx: Transaction, id: number): Promise<void> {
    const row = await this.#findDue(tx, id)
    if (row === undefined) return
    const sender = await this.users.find(tx, row.user_id)
    const organization = await this.organizations.require(tx.organizationId)
    if (sender === undefined || !sender.is_active || organization.isDeactivated) {
      // Nobody is left to be told.
      await this.scheduled.update(tx, id, { due_at_seconds: null, failure: 'Deactivated' })
      return
    }
    if (nowSeconds(this.clock) - row.deliver_at_seconds > maxLateSeconds) {
      await this.#fail(tx, id, 'Message could not be sent at the scheduled time.')
      return
    }
    const prepared = prepareMessage(draftOf(requestOf(row)))
    const messageId = await this.messages.sendIn(tx, actorOf(sender), prepared)
    await this.scheduled.update(tx, id, { due_at_seconds: null, sent_message_id: messageId })
    await this.attachments.releaseScheduled(tx, id)
    tx.emit(scheduledMessageRemoved({ userIds: [row.user_id] }, { scheduled_message_id: id }))
  }

  async #fail(tx: Transaction, id: number, reason: string): Promise<void> {
    const row = await this.#findDue(tx, id)
    if (row === undefined) return
    const failure = { due_at_seconds: null, failure: reason.slice(0, 500) }
    await this.scheduled.update(tx, id, failure)
    tx.emit(
      scheduledMessageUpdated(
        { userIds: [row.user_id] },
        { scheduled_message: scheduledMessageOf({ ...row, ...failure }) },
      ),
    )
    const owner = await this.users.find(tx, row.user_id)
    if (owner?.is_active) await this.notices.failed(tx, owner, row.deliver_at_seconds, reason)
  }

  /** The row, unless somebody has sent, changed or deleted it meanwhile. */
  async #findDue(tx: Transaction, id: number): Promise<ScheduledMessageRow | undefined> {
    const row = await this.scheduled.findForChange(tx, id)
    if (row?.due_at_seconds == null || row.due_at_seconds > nowSeconds(this.clock)) return undefined
    return row
  }
}
