import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { toJson, type NewRow, type Transaction } from '../../../storage/index.js'
import type { QueuedNotification } from './queued-notification.js'
import type { PushedMessage } from './push-notification-repository.js'
import {
  pushNotifications,
  type PushNotificationRow,
  pushedMessages,
} from './push-notifications-table.js'
import type { NotificationReason } from '../notified-recipients/index.js'

/** A decision to notify a user of a message: the trigger, and the families of devices. */
export interface PushDecision extends PushedMessage {
  readonly trigger: NotificationReason
  readonly families: readonly PushNotificationRow['family'][]
}

/** Stores notifications until they are sent. */
@perServer()
export class NotificationQueue {
  constructor(@inject(ClockToken) private readonly clock: Clock) {}

  /** Queues the notifications that were decided on. */
  async add(tx: Transaction, decisions: readonly PushDecision[]): Promise<void> {
    await tx
      .rows(pushedMessages)
      .insertMany(decisions.map(({ user_id, message_id }) => ({ user_id, message_id })))
    await tx.rows(pushNotifications).insertMany(
      decisions.flatMap(({ user_id, message_id, trigger, families }) => {
        const queued: QueuedNotification = { type: 'message', messageId: message_id, trigger }
        return families.map((family) => this.#row(user_id, family, queued))
      }),
    )
  }

  /** Queues removals of notifications; ascending message ids by user. */
  async addRemovals(
    tx: Transaction,
    messageIds: ReadonlyMap<number, readonly number[]>,
  ): Promise<void> {
    await tx.rows(pushNotifications).insertMany(
      [...messageIds].flatMap(([userId, ids]) => {
        const queued: QueuedNotification = { type: 'remove', messageIds: ids }
        // A family without devices is skipped when the notification is sent.
        return [this.#row(userId, 'e2ee', queued), this.#row(userId, 'legacy', queued)]
      }),
    )
  }

  #row(
    user_id: number,
    family: PushNotificationRow['family'],
    queued: QueuedNotification,
  ): NewRow<PushNotificationRow> {
    return {
      user_id,
      family,
      notice: toJson(queued),
      attempts: 0,
      due_at_seconds: nowSeconds(this.clock),
      accepted_device_ids: null,
    }
  }
}
