import { inject } from 'tsyringe'

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
    range: Omit<PushRecipientRange, 'activeAfterSeconds'>,
    asOffline = false,
  ): Promise<PushDecision[]> {
    const activeAfterSeconds = nowSeconds(this.clock) - limits.presenceOfflineThresholdSeconds
    const rows = await this.recipients.list(scope, { ...range, activeAfterSeconds })
    return rows.flatMap((row) => {
      const trigger = pushTrigger({
        flags: row.flags,
        settings: parseUserSettings(row.settings),
        isDirect: row.channel_id === null,
        isOnline: !asOffline && row.is_online,
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
