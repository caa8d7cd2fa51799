import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { UnwrittenMessageRepository } from '../../channels/unwritten-messages/index.js'
import type { EditedMessage, MessageEditStep, StoredEdit } from '../../messages/editing/index.js'
import type { MailDecision } from '../mails/index.js'
import type { PushDecision } from './notification-queue.js'
import { PushDecisions } from './push-decisions.js'
import { PushRecipientRepository } from './push-recipient-repository.js'
import type { NotificationReason } from '../notified-recipients/index.js'

const mentionTriggers: ReadonlySet<NotificationReason> = new Set([
  'mentioned',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
])

/**
 * Sends push notifications and mails to users whom the edit of a channel message mentions for the first time,
 * and removes the notifications of users whom it no longer mentions. Users who were mentioned
 * before, and the participants of direct conversations, were already notified, or online, when the
 * message was sent.
 */
@perServer()
export class EditedMessageStep implements MessageEditStep {
  constructor(
    @inject(PushDecisions) private readonly decisions: PushDecisions,
    @inject(PushRecipientRepository) private readonly recipients: PushRecipientRepository,
    @inject(UnwrittenMessageRepository) private readonly userMessages: UnwrittenMessageRepository,
  ) {}

  async beginEdit(
    tx: Transaction,
    message: EditedMessage,
  ): Promise<(edit: StoredEdit) => Promise<void>> {
    const reachable =
      message.channel_id === null ? undefined : await this.decisions.reachable(tx.organizationId)
    if (reachable === undefined) return async () => {}
    const before = new Set(await this.recipients.listMentioned(tx, message.id))
    return async ({ beginsToMentionAll }) => {
      if (beginsToMentionAll) {
        // Notifications are found by them.
        const { ids } = reachable
        await this.userMessages.writeMessages(tx, [message.id], ids && [...ids])
      }
      await this.#endEdit(tx, message.id, before)
    }
  }

  async #endEdit(tx: Transaction, messageId: number, before: ReadonlySet<number>): Promise<void> {
    const mentioned = new Set(await this.recipients.listMentioned(tx, messageId))
    const isNew = [...mentioned].some((userId) => !before.has(userId))
    if (isNew) {
      const range = { messageIds: [messageId], wasPushed: false }
      const { push, mail } = await this.decisions.decide(tx, range)
      const isNewlyMentioned = (one: PushDecision | MailDecision): boolean =>
        !before.has(one.user_id) && mentionTriggers.has(one.trigger)
      await this.decisions.notify(tx, {
        push: push.filter(isNewlyMentioned),
        mail: mail.filter(isNewlyMentioned),
      })
    }
    const left = [...before].filter((userId) => !mentioned.has(userId))
    if (left.length > 0) await this.#revoke(tx, messageId, left)
  }

  /**
   * Keeps the notifications of users who have another reason for them, such as following the topic.
   */
  async #revoke(tx: Transaction, messageId: number, userIds: readonly number[]): Promise<void> {
    const range = { messageIds: [messageId], userIds, wasPushed: true }
    const pushed = await this.recipients.listPushed(tx, messageId, userIds)
    if (pushed.length === 0) return
    const staying = new Set(
      (await this.decisions.decide(tx, range, true)).push.map(({ user_id }) => user_id),
    )
    await this.decisions.revoke(
      tx,
      messageId,
      pushed.filter((userId) => !staying.has(userId)),
    )
  }
}
