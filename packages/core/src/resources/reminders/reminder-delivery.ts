import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { PeriodicTask } from '../../kernel/periodic-task.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { BotMessages } from '../messages/index.js'
import { OrganizationService } from '../organizations/index.js'
import { actorOf, UserRepository } from '../users/index.js'
import { ReminderContents } from './reminder-contents.js'
import { reminderRemoved } from './reminder-events.js'
import { ReminderRepository, type ReminderRow } from './reminder-repository.js'

/** How often what is due is looked for; how late a reminder may be, therefore. */
const intervalMilliseconds = 10_000
const batchSize = 100

/**
 * Sends the reminders that are due, however late. Each is sent and removed in one transaction that
 * holds its row, so it is sent exactly once, however many processes work at once.
 */
@perServer()
export class ReminderDelivery {
  readonly #task: PeriodicTask

  constructor(
    @inject(ReminderRepository) private readonly reminders: ReminderRepository,
    @inject(ReminderContents) private readonly contents: ReminderContents,
    @inject(BotMessages) private readonly messages: BotMessages,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#task = new PeriodicTask(
      clock,
      intervalMilliseconds,
      (isStopped) => this.#round(isStopped),
      (error) => logger.warn('Sending reminders failed', { error }),
    )
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  async #round(isStopped: () => boolean): Promise<void> {
    for (;;) {
      const due = await this.reminders.listDue(nowSeconds(this.clock), batchSize)
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
      this.logger.error('A reminder could not be sent', { id, error })
      await this.unitOfWork.run(organizationId, (tx) => this.reminders.setFailed(tx, id))
    }
  }

  async #send(tx: Transaction, id: number): Promise<void> {
    const row = await this.#findDue(tx, id)
    if (row === undefined) return
    const owner = await this.users.find(tx, row.user_id)
    const organization = await this.organizations.require(tx.organizationId)
    if (owner === undefined || !owner.is_active || organization.isDeactivated) {
      await this.reminders.setFailed(tx, id)
      return
    }
    const actor = actorOf(owner)
    // The message may have been edited or moved since, or be out of the owner's sight by now.
    const current = await this.contents.find(tx, actor, row.message_id, row.note)
    const content = current ?? row.content
    await this.messages.send(tx, 'notification', [{ to: { user: owner }, content }], actor)
    await this.reminders.delete(tx, id)
    tx.emit(reminderRemoved({ userIds: [owner.id] }, { reminder_id: id }))
  }

  /** The row, unless somebody has sent or deleted it meanwhile. */
  async #findDue(tx: Transaction, id: number): Promise<ReminderRow | undefined> {
    const row = await this.reminders.findForChange(tx, id)
    if (row?.due_at_seconds == null || row.due_at_seconds > nowSeconds(this.clock)) return undefined
    return row
  }
}
