import { inject } from 'tsyringe'

import { EventDelivery } from '../../events/delivery.js'
import { nowSeconds, type Clock, type Timer } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../storage/index.js'
import { PushDeviceOwners } from '../push-devices/index.js'
import { PushRelayError, PushRounds, PushSetup, type RoundWork } from '../push-relay/index.js'
import { NoticeSender, type PreparedNotification } from './notice-sender.js'
import { ReadNotices } from './read-notices.js'
import {
  PushNotificationRepository,
  type PushNotificationRow,
} from './push-notification-repository.js'
import { PushRecipients } from './push-recipients.js'

const intervalMilliseconds = 12_000
/** After somebody reads, so that what they read next goes into the same notification. */
const readDelayMilliseconds = 1000
const organizationsPerRound = 1000
const messagesPerBatch = 20
const notificationsPerBatch = 20
const maxAttempts = 3
const retryDelaySeconds = 30
/** Kinds of records after which messages may be read, or gone. */
const readingKinds = new Set(['update_message_flags/add', 'delete_message'])

/**
 * Sends notifications in the background.
 *
 * What is to be sent is taken from the database first, so it is sent at most once, however many
 * processes there are and wherever one of them ends. It goes back only if nothing has arrived.
 */
@perServer()
export class PushDelivery implements RoundWork {
  readonly #rounds: PushRounds
  /** Organizations in which somebody has read since the last round. */
  readonly #reading = new Set<number>()
  #readTimer: Timer | undefined
  #unobserve: (() => void) | undefined

  constructor(
    @inject(PushNotificationRepository) private readonly waiting: PushNotificationRepository,
    @inject(PushRecipients) private readonly recipients: PushRecipients,
    @inject(ReadNotices) private readonly reads: ReadNotices,
    @inject(NoticeSender) private readonly sender: NoticeSender,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(EventDelivery) private readonly events: EventDelivery,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#rounds = new PushRounds(this, intervalMilliseconds, clock, logger)
  }

  /** Starts the rounds, where notifications are configured. */
  start(): void {
    if (this.setup.relay === undefined) return
    this.#rounds.start()
    this.#unobserve = this.events.observe((organizationId, kind) => {
      if (readingKinds.has(kind)) this.#noteReading(organizationId)
    })
  }

  async stop(): Promise<void> {
    this.#unobserve?.()
    this.#readTimer?.cancel()
    await this.#rounds.stop()
  }

  /** Says that there is something to send in the organization. */
  wake(organizationId: number): void {
    this.#rounds.wake(organizationId)
  }

  async listWaiting(): Promise<readonly number[]> {
    const now = nowSeconds(this.clock)
    return this.waiting.listWaitingOrganizationIds(now, organizationsPerRound)
  }

  async run(organizationId: number): Promise<void> {
    const isReading = this.#reading.delete(organizationId)
    if (isReading && (await this.owners.of(organizationId)).size > 0) {
      await this.unitOfWork.run(organizationId, (tx) => this.reads.queue(tx))
    }
    // Most rounds after a reading find nothing, and need no transaction for it.
    if (!(await this.waiting.hasWaiting(this.database.read(organizationId)))) return
    for (;;) {
      const count = await this.unitOfWork.run(organizationId, (tx) =>
        this.recipients.queue(tx, messagesPerBatch),
      )
      if (count < messagesPerBatch) break
    }
    for (;;) {
      const now = nowSeconds(this.clock)
      const taken = await this.unitOfWork.run(organizationId, (tx) =>
        this.waiting.takeNotifications(tx, now, notificationsPerBatch),
      )
      if (taken.length > 0) await this.#send(organizationId, taken)
      if (taken.length < notificationsPerBatch) return
    }
  }

  #noteReading(organizationId: number): void {
    this.#reading.add(organizationId)
    this.#readTimer ??= this.clock.setTimeout(() => {
      this.#readTimer = undefined
      for (const id of this.#reading) this.wake(id)
    }, readDelayMilliseconds)
  }

  /** Sends to many users at once, but to each of them in order. */
  async #send(organizationId: number, taken: readonly PushNotificationRow[]): Promise<void> {
    const prepared = await this.sender.prepare(this.database.read(organizationId), taken)
    const byUser = new Map<number, PreparedNotification[]>()
    for (const notification of prepared) {
      const list = byUser.get(notification.row.user_id)
      if (list === undefined) byUser.set(notification.row.user_id, [notification])
      else list.push(notification)
    }
    await Promise.all(
      [...byUser.values()].map(async (list) => {
        for (const notification of list) await this.#sendOne(notification)
      }),
    )
  }

  async #sendOne(notification: PreparedNotification): Promise<void> {
    try {
      await notification.send()
    } catch (error) {
      await this.#fail(notification.row, error)
    }
  }

  async #fail(row: PushNotificationRow, error: unknown): Promise<void> {
    const { id: _, organization_id, ...again } = row
    await this.setup.explain(organization_id, error)
    const attempts = row.attempts + 1
    const mayTryAgain =
      error instanceof PushRelayError &&
      (error.problem === 'unreachable' || error.problem === 'broken') &&
      attempts < maxAttempts
    if (!mayTryAgain) {
      this.logger.warn('A notification was not sent', { userId: row.user_id, error })
      return
    }
    const due_at_seconds = nowSeconds(this.clock) + retryDelaySeconds * attempts
    await this.unitOfWork.run(organization_id, (tx) =>
      this.waiting.insertNotifications(tx, [{ ...again, attempts, due_at_seconds }]),
    )
  }
}
