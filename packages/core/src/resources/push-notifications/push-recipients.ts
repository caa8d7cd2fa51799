import { inject } from 'tsyringe'

import { limits } from '../../domain/limits.js'
import { parseUserSettings } from '../../domain/user-settings.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import type { NewRow, Transaction } from '../../storage/index.js'
import { EventQueueRepository } from '../event-queues/index.js'
import { PermissionGroups } from '../user-groups/index.js'
import { actorOf, UserRepository } from '../users/index.js'
import type { MentioningGroup, Notice, PushMentions } from './notice.js'
import {
  PushNotificationRepository,
  type NotifiableMessage,
  type PushNotificationRow,
} from './push-notification-repository.js'
import { PushRecipientRepository, type PushRecipientRow } from './push-recipient-repository.js'
import { pushTrigger } from './push-trigger.js'

/** Decides who is notified of a message. */
@perServer()
export class PushRecipients {
  constructor(
    @inject(PushRecipientRepository) private readonly recipients: PushRecipientRepository,
    @inject(PushNotificationRepository) private readonly waiting: PushNotificationRepository,
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Queues the notifications of up to `limit` new messages. @returns how many messages there were. */
  async queue(tx: Transaction, limit: number): Promise<number> {
    const taken = await this.waiting.takeMessages(tx, limit)
    const messages = await this.waiting.listMessages(
      tx,
      taken.map((row) => row.message_id),
    )
    for (const row of taken) {
      const message = messages.find(({ id }) => id === row.message_id)
      if (message === undefined) continue
      await this.#queueMessage(tx, message, JSON.parse(row.mentions) as PushMentions)
    }
    return taken.length
  }

  async #queueMessage(
    tx: Transaction,
    message: NotifiableMessage,
    mentions: PushMentions,
  ): Promise<void> {
    const rows = await this.recipients.listUnread(tx, message)
    const online = await this.#online(tx, rows)
    const notifications: NewRow<PushNotificationRow>[] = []
    const notified: number[] = []
    for (const row of rows) {
      const trigger = pushTrigger({
        flags: row.flags,
        settings: parseUserSettings(row.settings),
        isDirect: message.channel_id === null,
        isOnline: online.has(row.user_id),
        subscription: subscriptionOf(row),
        topicPolicy: row.visibility_policy ?? 0,
      })
      if (trigger === undefined) continue
      const group =
        trigger === 'mentioned' ? await this.#group(tx, row.user_id, mentions) : undefined
      const notice: Notice = {
        type: 'message',
        messageId: message.id,
        trigger,
        ...(group === undefined ? {} : { group }),
      }
      notified.push(row.user_id)
      notifications.push(...this.notificationsFor(row, notice))
    }
    await this.waiting.insertPushed(tx, message.id, notified)
    await this.waiting.insertNotifications(tx, notifications)
  }

  /** One notification for each family of devices that the user has. */
  notificationsFor(
    row: Pick<PushRecipientRow, 'user_id' | 'has_devices' | 'has_tokens'>,
    notice: Notice,
  ): NewRow<PushNotificationRow>[] {
    const families: PushNotificationRow['family'][] = []
    if (row.has_devices) families.push('e2ee')
    if (row.has_tokens) families.push('legacy')
    return families.map((family) => ({
      user_id: row.user_id,
      family,
      notice: JSON.stringify(notice),
      attempts: 0,
      due_at_seconds: nowSeconds(this.clock),
    }))
  }

  /** Those who are active and have a client that shows new messages. */
  async #online(tx: Transaction, rows: readonly PushRecipientRow[]): Promise<ReadonlySet<number>> {
    const activeFrom = nowSeconds(this.clock) - limits.presenceOfflineThresholdSeconds
    const active = rows.filter((row) => (row.active_at_seconds ?? 0) > activeFrom)
    if (active.length === 0) return new Set()
    const userIds = active.map((row) => row.user_id)
    return new Set(await this.queues.listUserIdsAccepting(tx, userIds, 'message'))
  }

  /** The group through which the user is mentioned; undefined if by name. */
  async #group(
    tx: Transaction,
    userId: number,
    { userIds, groups }: PushMentions,
  ): Promise<MentioningGroup | undefined> {
    if (userIds.includes(userId) || groups.length < 2) {
      return userIds.includes(userId) ? undefined : groups[0]
    }
    const user = await this.users.find(tx, userId)
    if (user === undefined) return undefined
    const own = await this.groups.groupsOf(actorOf(user))
    return groups.find(({ id }) => own.has(id))
  }
}

function subscriptionOf(row: PushRecipientRow) {
  if (row.is_muted === null) return undefined
  return {
    isMuted: Boolean(row.is_muted),
    pushNotifications: nullable(row.push_notifications),
    wildcardMentionsNotify: nullable(row.wildcard_mentions_notify),
  }
}

function nullable(value: boolean | number | null): boolean | null {
  return value === null ? null : Boolean(value)
}
