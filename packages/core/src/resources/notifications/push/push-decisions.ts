import { inject, injectAll } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { PushDeviceOwners } from '../push-devices/index.js'
import { PushSetup } from '../push-relay/index.js'
import { MailQueue, mailTrigger, type MailDecision } from '../mails/index.js'
import { NotificationQueue, type PushDecision } from './notification-queue.js'
import { PushDelivery } from './push-delivery.js'
import {
  PushRecipientRepository,
  type PushRecipientRange,
  type PushRecipientRow,
} from './push-recipient-repository.js'
import { recipientOf } from './push-recipient.js'
import { pushTrigger } from './push-trigger.js'
import { RecentActivityToken, type RecentActivity } from './recent-activity.js'
import { pushedMessages } from './push-notifications-table.js'

/** The users who can be notified. */
export interface ReachableUsers {
  /** Undefined for all users. */
  readonly ids: ReadonlySet<number> | undefined
  readonly has: (userId: number) => boolean
}

/** The notifications that were decided on. */
export interface Decisions {
  readonly push: readonly PushDecision[]
  readonly mail: readonly MailDecision[]
}

/**
 * Decides which users get push notifications and mails of messages, within the transactions that
 * trigger them. One statement finds the users for both.
 */
@perServer()
export class PushDecisions {
  constructor(
    @inject(PushRecipientRepository) private readonly recipients: PushRecipientRepository,
    @inject(NotificationQueue) private readonly queue: NotificationQueue,
    @inject(PushDelivery) private readonly delivery: PushDelivery,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(MailQueue) private readonly mails: MailQueue,
    @injectAll(RecentActivityToken) private readonly reports: readonly RecentActivity[],
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * The users who can be notified; undefined if no user can. Cached, so that only the first call
   * queries the database.
   */
  async reachable(organizationId: number): Promise<ReachableUsers | undefined> {
    if (this.mails.isOn) return { ids: undefined, has: () => true }
    if (this.setup.relay === undefined) return undefined
    const owners = await this.owners.of(organizationId)
    return owners.size === 0 ? undefined : { ids: owners, has: (id) => owners.has(id) }
  }

  /**
   * The users to notify of messages; or, among those whose devices were already notified, the users
   * who would still be.
   *
   * @param asOffline whether all users count as offline.
   */
  async decide(
    scope: OrganizationScope,
    range: PushRecipientRange,
    asOffline = false,
  ): Promise<Decisions> {
    const withMails = this.mails.isOn && !range.wasPushed
    const rows = await this.recipients.list(scope, { ...range, withMails })
    const push: PushDecision[] = []
    const mail: MailDecision[] = []
    for (const row of rows) {
      const { user_id, message_id } = row
      const recipient = recipientOf(row, !asOffline && this.#isOnline(scope, row))
      const families = familiesOf(row)
      const isPushed = families.length > 0 && row.was_pushed === range.wasPushed
      const pushed = isPushed ? pushTrigger(recipient) : undefined
      if (pushed !== undefined) push.push({ user_id, message_id, trigger: pushed, families })
      const mailed = withMails && !row.was_mailed ? mailTrigger(recipient) : undefined
      if (mailed !== undefined) {
        const batchingSeconds = recipient.settings.email_notifications_batching_period_seconds
        mail.push({ user_id, message_id, trigger: mailed, batchingSeconds })
      }
    }
    return { push, mail }
  }

  /** Queues the notifications that were decided on. */
  async notify(tx: Transaction, { push, mail }: Decisions): Promise<void> {
    await this.mails.add(tx, mail)
    if (push.length === 0) return
    await this.queue.add(tx, push)
    this.#wake(tx)
  }

  /** Removes the notifications of a message from the devices of these users. */
  async revoke(tx: Transaction, messageId: number, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return
    await tx.rows(pushedMessages).delete({ message_id: messageId, user_id: userIds })
    await this.queue.addRemovals(tx, new Map(userIds.map((userId) => [userId, [messageId]])))
    this.#wake(tx)
  }

  #isOnline({ organizationId }: OrganizationScope, row: PushRecipientRow): boolean {
    const reported = this.reports.map((one) => one.activeAtSeconds(organizationId, row.user_id))
    const activeAt = Math.max(...[row.active_at_seconds, ...reported].map((at) => at ?? 0))
    const age = nowSeconds(this.clock) - activeAt
    return row.shows_messages && age < limits.presenceOfflineThresholdSeconds
  }

  #wake(tx: Transaction): void {
    const { organizationId } = tx
    tx.afterCommit(() => this.delivery.wake(organizationId))
  }
}

function familiesOf(row: PushRecipientRow): PushDecision['families'] {
  return [
    ...(row.has_devices ? ['e2ee' as const] : []),
    ...(row.has_tokens ? ['legacy' as const] : []),
  ]
}
