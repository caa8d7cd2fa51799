import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { Database, DueRows, parseJson, toJson, UnitOfWork } from '../../../storage/index.js'
import type { PushNotificationRow } from './push-notifications-table.js'

const rowsPerRound = 1000
const batchSize = 20
/** Longer than a relay can take to answer. */
const leaseSeconds = 60
/** Minimum remaining lease when a request starts. */
const minLeaseSeconds = 30
const maxAttempts = 3
const retryDelaySeconds = 30

/** A notification that this process has leased. */
export interface ClaimedNotification {
  row: PushNotificationRow
}

/**
 * Leases of notifications. No other process sends a leased notification. If a process ends before
 * it has stored the outcome, another process takes over when the lease expires.
 */
@perServer()
export class NotificationClaims {
  /** Notifications to delete in the next batch, by organization. */
  readonly #done = new Map<number, readonly PushNotificationRow[]>()
  #deleting: Promise<void> = Promise.resolve()
  readonly #rows: DueRows<PushNotificationRow>

  constructor(
    @inject(Database) database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#rows = new DueRows('push_notifications', database, unitOfWork, clock)
  }

  /** The organizations of the due notifications, up to a limit of notifications. */
  async listOrganizationIds(): Promise<number[]> {
    const due = await this.#rows.listDue(rowsPerRound)
    return due.map((row) => row.organization_id)
  }

  /** Leases all due notifications in batches, and deletes those whose attempts are exhausted. */
  async *claim(organizationId: number): AsyncGenerator<PushNotificationRow[]> {
    for await (const leased of this.#rows.leaseBatches(organizationId, batchSize, leaseSeconds)) {
      // This limit is exceeded only if processes ended during earlier attempts.
      const exhausted = leased.filter(({ attempts }) => attempts > maxAttempts)
      await this.finish(organizationId, exhausted)
      for (const { user_id } of exhausted) {
        this.logger.warn('A notification was not sent', { userId: user_id })
      }
      yield leased.filter(({ attempts }) => attempts <= maxAttempts)
    }
  }

  /**
   * Extends the lease for another request.
   *
   * @returns false if another process holds the lease.
   */
  async extend(notification: ClaimedNotification): Promise<boolean> {
    const { row } = notification
    const now = nowSeconds(this.clock)
    if (row.due_at_seconds - now >= minLeaseSeconds) return true
    const due_at_seconds = now + leaseSeconds
    notification.row = { ...row, due_at_seconds }
    return this.#update(row, { due_at_seconds })
  }

  /**
   * Stores that a device has got the notification.
   *
   * @returns false if another process holds the lease.
   */
  async accept(notification: ClaimedNotification, deviceId: number): Promise<boolean> {
    const { row } = notification
    const accepted_device_ids = toJson([...acceptedDeviceIds(row), deviceId])
    notification.row = { ...row, accepted_device_ids }
    return this.#update(row, { accepted_device_ids })
  }

  /**
   * Deletes completed notifications. Notifications that complete during a delete are deleted
   * together in the next one.
   */
  async finish(organizationId: number, rows: readonly PushNotificationRow[]): Promise<void> {
    if (rows.length === 0) return
    this.#done.set(organizationId, [...(this.#done.get(organizationId) ?? []), ...rows])
    const deleteDone = () => this.#deleteDone(organizationId)
    this.#deleting = this.#deleting.then(deleteDone, deleteDone)
    await this.#deleting
  }

  /**
   * Schedules a retry; the delay grows with each attempt.
   *
   * @returns false if there is no further retry.
   */
  async postpone({ row }: ClaimedNotification): Promise<boolean> {
    if (row.attempts >= maxAttempts) {
      await this.finish(row.organization_id, [row])
      return false
    }
    const due_at_seconds = nowSeconds(this.clock) + retryDelaySeconds * row.attempts
    await this.#update(row, { due_at_seconds })
    return true
  }

  /** Gives up the lease without counting an attempt. */
  async release({ row }: ClaimedNotification): Promise<void> {
    const due_at_seconds = nowSeconds(this.clock)
    await this.#update(row, { due_at_seconds, attempts: row.attempts - 1 })
  }

  async #deleteDone(organizationId: number): Promise<void> {
    const rows = this.#done.get(organizationId)
    if (rows === undefined) return
    this.#done.delete(organizationId)
    await this.unitOfWork.run(organizationId, (tx) => this.#rows.delete(tx, rows), {
      skipWriteLock: true,
    })
  }

  async #update(row: PushNotificationRow, changes: Partial<PushNotificationRow>): Promise<boolean> {
    return this.unitOfWork.run(row.organization_id, (tx) => this.#rows.change(tx, row, changes), {
      skipWriteLock: true,
    })
  }
}

/** The devices that already have the notification. */
export function acceptedDeviceIds({ accepted_device_ids }: PushNotificationRow): readonly number[] {
  return accepted_device_ids === null ? [] : parseJson(accepted_device_ids)
}
