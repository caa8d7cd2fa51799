import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import type { NotificationReason } from '../notified-recipients/index.js'
import { MailNotificationRepository } from './mail-notification-repository.js'
import { NotificationMailRulesToken, type NotificationMailRules } from './mail-options.js'
import { mailNotifications } from './mail-notifications-table.js'

/** A decision to notify a user of a message by mail. */
export interface MailDecision {
  readonly user_id: number
  readonly message_id: number
  readonly trigger: NotificationReason
  /** How long to wait for further messages. */
  readonly batchingSeconds: number
}

/** Stores which messages are to be mailed to whom, and when. */
@perServer()
export class MailQueue {
  readonly isOn: boolean

  constructor(
    @inject(MailNotificationRepository) private readonly notifications: MailNotificationRepository,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(NotificationMailRulesToken) rules: NotificationMailRules,
  ) {
    this.isOn = rules.isOn
  }

  /** Queues messages. They are sent together with those that already wait for the same user. */
  async add(tx: Transaction, decisions: readonly MailDecision[]): Promise<void> {
    if (decisions.length === 0) return
    const userIds = [...new Set(decisions.map(({ user_id }) => user_id))]
    const nextDue = await this.notifications.listNextDue(tx, userIds)
    const now = nowSeconds(this.clock)
    await tx.rows(mailNotifications).insertMany(
      decisions.map(({ user_id, message_id, trigger, batchingSeconds }) => ({
        user_id,
        message_id,
        reason: trigger,
        mail_id: null,
        attempts: 0,
        due_at_seconds: nextDue.get(user_id) ?? now + batchingSeconds,
      })),
    )
  }
}
