import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import {
  PushNotificationRepository,
  type PushNotificationRow,
} from './push-notification-repository.js'

/** Longer than a relay may take to answer. */
const leaseSeconds = 60
/** What must be left of the lease when a request begins. */
const minLeaseSeconds = 30
const maxAttempts = 3
const retryDelaySeconds = 30

/** A notification that this process sends, as long as its lease lasts. */
export interface ClaimedNotification {
  row: PushNotificationRow
}

/**
 * Notifications that are being sent. Each is claimed for a while, in which no other process sends
 * it; if this one ends before it has written down what came of it, another takes over after that.
 */
@perServer()
export class NotificationClaims {
  /** What is to be forgotten next, by organization. */
  readonly #done = new Map<number, readonly PushNotificationRow[]>()
  #forgetting: Promise<void> = Promise.resolve()

  constructor(
    @inject(PushNotificationRepository) private readonly waiting: PushNotificationRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * Claims up to `limit` notifications that are due, and gives those up that were tried often enough.
   *
   * @returns those to be sent, and how many were due.
   */
  async claim(
    organizationId: number,
    limit: number,
  ): Promise<{ claimed: readonly PushNotificationRow[]; dueCount: number }> {
    const now = nowSeconds(this.clock)
    const due_at_seconds = now + leaseSeconds
    const claimWithin = async (tx: Transaction) => {
      const due = await this.waiting.lockDue(tx, now, limit)
      const exhausted = due.filter(({ attempts }) => attempts >= maxAttempts)
      const pending = due.filter(({ attempts }) => attempts < maxAttempts)
      await this.waiting.delete(tx, exhausted)
      await this.waiting.claim(
        tx,
        pending.map(({ id }) => id),
        due_at_seconds,
      )
      const claimed = pending.map((row) => ({ ...row, attempts: row.attempts + 1, due_at_seconds }))
      return { exhausted, claimed, dueCount: due.length }
    }
    const found = await this.unitOfWork.run(organizationId, claimWithin, { skipWriteLock: true })
    for (const { user_id } of found.exhausted) {
      this.logger.warn('A notification was not sent', { userId: user_id })
    }
    return found
  }

  /** Makes the lease long enough for a request. @returns whether it is still this process's. */
  async extend(notification: ClaimedNotification): Promise<boolean> {
    const { row } = notification
    const now = nowSeconds(this.clock)
    if (row.due_at_seconds - now >= minLeaseSeconds) return true
    const due_at_seconds = now + leaseSeconds
    notification.row = { ...row, due_at_seconds }
    return this.#update(row, { due_at_seconds })
  }

  /** Notes that a device has it. @returns whether it is still this process's. */
  async accept(notification: ClaimedNotification, deviceId: number): Promise<boolean> {
    const { row } = notification
    const accepted_device_ids = JSON.stringify([...acceptedDeviceIds(row), deviceId])
    notification.row = { ...row, accepted_device_ids }
    return this.#update(row, { accepted_device_ids })
  }

  /**
   * Forgets notifications with which nothing more is to be done. Those that are done while others
   * are being forgotten are forgotten together.
   */
  async finish(organizationId: number, rows: readonly PushNotificationRow[]): Promise<void> {
    if (rows.length === 0) return
    this.#done.set(organizationId, [...(this.#done.get(organizationId) ?? []), ...rows])
    const forget = () => this.#forgetDone(organizationId)
    this.#forgetting = this.#forgetting.then(forget, forget)
    await this.#forgetting
  }

  /** Has it tried again, later each time. @returns whether it will be. */
  async postpone({ row }: ClaimedNotification): Promise<boolean> {
    if (row.attempts >= maxAttempts) {
      await this.finish(row.organization_id, [row])
      return false
    }
    const due_at_seconds = nowSeconds(this.clock) + retryDelaySeconds * row.attempts
    await this.#update(row, { due_at_seconds })
    return true
  }

  /** Leaves it to others, as if nobody had tried. */
  async release({ row }: ClaimedNotification): Promise<void> {
    const due_at_seconds = nowSeconds(this.clock)
    await this.#update(row, { due_at_seconds, attempts: row.attempts - 1 })
  }

  async #forgetDone(organizationId: number): Promise<void> {
    const rows = this.#done.get(organizationId)
    if (rows === undefined) return
    this.#done.delete(organizationId)
    await this.unitOfWork.run(organizationId, (tx) => this.waiting.delete(tx, rows), {
      skipWriteLock: true,
    })
  }

  async #update(row: PushNotificationRow, changes: Partial<PushNotificationRow>): Promise<boolean> {
    return this.unitOfWork.run(row.organization_id, (tx) => this.waiting.update(tx, row, changes), {
      skipWriteLock: true,
    })
  }
}

/** The devices that have the notification already. */
export function acceptedDeviceIds({ accepted_device_ids }: PushNotificationRow): number[] {
  return accepted_device_ids === null ? [] : (JSON.parse(accepted_device_ids) as number[])
}
