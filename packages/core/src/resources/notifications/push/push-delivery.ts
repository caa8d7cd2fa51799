import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { Background } from '../../../kernel/background.js'
import type { Clock, Timer } from '../../../kernel/clock.js'
import { groupBy } from '../../../kernel/grouping.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Round } from '../../../kernel/periodic-task.js'
import { Telemetry } from '../../../kernel/telemetry/telemetry.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { PushDeviceOwners } from '../push-devices/index.js'
import {
  mayPass,
  PushRelayError,
  PushRounds,
  PushSetup,
  type PushWork,
} from '../push-relay/index.js'
import { NotificationClaims } from './notification-claims.js'
import { PushNotificationRepository } from './push-notification-repository.js'
import type { PushNotificationRow } from './push-notifications-table.js'
import { PushSender, type PreparedNotification } from './push-sender.js'
import { ReadNotificationRemovals } from './read-notification-removals.js'
import { messageFlagsAdded } from '../../messages/flags/index.js'
import { messagesDeleted } from '../../messages/editing/index.js'

/** Delay after a user reads messages, so that further reads share one removal notification. */
const readDelayMilliseconds = 1000
const organizationsPerRound = 1000
/** Sends push notifications in the background. */
@perServer()
export class PushDelivery implements PushWork {
  readonly name = 'Push notifications'
  readonly intervalMilliseconds = 12_000
  readonly isOff: boolean
  readonly #rounds: PushRounds
  /** Organizations in which messages were read or deleted since the last round. */
  readonly #reading = new Set<number>()
  #hasLooked = false
  #readTimer: Timer | undefined

  constructor(
    @inject(PushNotificationRepository) private readonly notifications: PushNotificationRepository,
    @inject(NotificationClaims) private readonly claims: NotificationClaims,
    @inject(ReadNotificationRemovals) private readonly reads: ReadNotificationRemovals,
    @inject(PushSender) private readonly sender: PushSender,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(FollowedLogs) logs: FollowedLogs,
    @inject(Telemetry) private readonly telemetry: Telemetry,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(Background) background: Background,
  ) {
    this.isOff = setup.relay === undefined
    this.#rounds = new PushRounds(this, background)
    const noteReading = (organizationId: number): void => {
      if (!this.isOff) this.#noteReading(organizationId)
    }
    logs.on(messageFlagsAdded, noteReading)
    logs.on(messagesDeleted, noteReading)
  }

  /** Announces that the organization has notifications to send. */
  wake(organizationId: number): void {
    this.#rounds.wake(organizationId)
  }

  async round(round: Round): Promise<void> {
    await this.#rounds.round(round)
  }

  async end(): Promise<void> {
    this.#readTimer?.cancel()
  }

  async listWaiting(): Promise<readonly number[]> {
    const waiting = await this.claims.listOrganizationIds()
    if (this.#hasLooked) return waiting
    // Covers messages that were read or deleted before a process ended without sending removals.
    const pushed = await this.notifications.listPushedOrganizationIds(organizationsPerRound)
    for (const organizationId of pushed) this.#reading.add(organizationId)
    this.#hasLooked = true
    return [...waiting, ...pushed]
  }

  async run(organizationId: number): Promise<void> {
    if (this.#reading.delete(organizationId)) await this.#queueRemovals(organizationId)
    for await (const claimed of this.claims.claim(organizationId)) {
      if (claimed.length > 0) await this.#send(organizationId, claimed)
      if (this.setup.signal.aborted) return
    }
  }

  async #queueRemovals(organizationId: number): Promise<void> {
    if ((await this.owners.of(organizationId)).size === 0) return
    while (await this.unitOfWork.run(organizationId, (tx) => this.reads.add(tx)));
  }

  #noteReading(organizationId: number): void {
    this.#reading.add(organizationId)
    this.#readTimer ??= this.clock.setTimeout(() => {
      this.#readTimer = undefined
      for (const id of this.#reading) this.wake(id)
    }, readDelayMilliseconds)
  }

  /** Sends to many users concurrently, but to each user in order. */
  async #send(organizationId: number, claimed: readonly PushNotificationRow[]): Promise<void> {
    const prepared = await this.sender.prepare(this.database.read(organizationId), claimed)
    const stillRelevant = new Set(prepared.map(({ row }) => row.id))
    await this.claims.finish(
      organizationId,
      claimed.filter(({ id }) => !stillRelevant.has(id)),
    )
    const byUser = groupBy(prepared, ({ row }) => row.user_id)
    await Promise.all(
      [...byUser.values()].map(async (list) => {
        for (const notification of list) await this.#sendOne(notification)
      }),
    )
  }

  async #sendOne(notification: PreparedNotification): Promise<void> {
    const { organization_id } = notification.row
    try {
      const isDone = await notification.send()
      this.#count('sent')
      if (isDone) await this.claims.finish(organization_id, [notification.row])
    } catch (error) {
      await this.#fail(notification, error)
    }
  }

  #count(outcome: 'sent' | 'failed'): void {
    if (this.telemetry.pushes.isOn) this.telemetry.pushes.record(1, { 'parley.outcome': outcome })
  }

  /**
   * Errors that do not come from the relay keep the claim; the notification is retried after the
   * lease.
   */
  async #fail(notification: PreparedNotification, error: unknown): Promise<void> {
    const { organization_id, user_id } = notification.row
    this.#count('failed')
    if (!(error instanceof PushRelayError)) {
      this.logger.warn('Sending a notification failed', { userId: user_id, err: error })
      return
    }
    if (this.setup.signal.aborted) {
      await this.claims.release(notification)
      return
    }
    await this.setup.explain(organization_id, error)
    if (mayPass(error) && (await this.claims.postpone(notification))) return
    if (!mayPass(error)) await this.claims.finish(organization_id, [notification.row])
    this.logger.warn('A notification was not sent', { userId: user_id, err: error })
  }
}
