import { inject, injectAll } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { parseUserSettings } from '../../../domain/user-settings.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { PushDeviceOwners } from '../push-devices/index.js'
import { PushSetup } from '../push-relay/index.js'
import { NotificationQueue, type PushDecision } from './notification-queue.js'
import { PushDelivery } from './push-delivery.js'
import { PushNotificationRepository } from './push-notification-repository.js'
import {
  PushRecipientRepository,
  type PushRecipientRange,
  type PushRecipientRow,
} from './push-recipient-repository.js'
import { pushTrigger } from './push-trigger.js'
import { RecentActivityToken, type RecentActivity } from './recent-activity.js'

const noUsers: ReadonlySet<number> = new Set()

/**
 * Decides which users get push notifications of messages, within the transactions that trigger
 * them.
 */
@perServer()
export class PushDecisions {
  constructor(
    @inject(PushRecipientRepository) private readonly recipients: PushRecipientRepository,
    @inject(PushNotificationRepository) private readonly notifications: PushNotificationRepository,
    @inject(NotificationQueue) private readonly queue: NotificationQueue,
    @inject(PushDelivery) private readonly delivery: PushDelivery,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @injectAll(RecentActivityToken) private readonly reports: readonly RecentActivity[],
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Users with devices that can be notified; cached, so that only the first call queries the
   * database.
   */
  async reachable(organizationId: number): Promise<ReadonlySet<number>> {
    return this.setup.relay === undefined ? noUsers : this.owners.of(organizationId)
  }

  /**
   * The users to notify of messages; or, among those already notified, the users who would still
   * be.
   *
   * @param asOffline whether all users count as offline.
   */
  async decide(
    scope: OrganizationScope,
    range: PushRecipientRange,
    asOffline = false,
  ): Promise<PushDecision[]> {
    const rows = await this.recipients.list(scope, range)
    return rows.flatMap((row) => {
      const trigger = pushTrigger({
        flags: row.flags,
        settings: parseUserSettings(row.settings),
        isDirect: row.channel_id === null,
        isOnline: !asOffline && this.#isOnline(scope, row),
        subscription: subscriptionOf(row),
        topicPolicy: row.visibility_policy ?? 0,
      })
      const { user_id, message_id } = row
      return trigger === undefined
        ? []
        : [{ user_id, message_id, trigger, families: familiesOf(row) }]
    })
  }

  /** Queues the notifications that were decided on. */
  async notify(tx: Transaction, decisions: readonly PushDecision[]): Promise<void> {
    if (decisions.length === 0) return
    await this.queue.add(tx, decisions)
    this.#wake(tx)
  }

  /** Removes the notifications of a message from the devices of these users. */
  async revoke(tx: Transaction, messageId: number, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return
    await this.notifications.deletePushed(tx, messageId, userIds)
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

function subscriptionOf(row: PushRecipientRow) {
  if (row.is_muted === null) return undefined
  return {
    isMuted: row.is_muted,
    pushNotifications: row.push_notifications,
    wildcardMentionsNotify: row.wildcard_mentions_notify,
  }
}
