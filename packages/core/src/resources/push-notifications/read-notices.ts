import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { idsByUser, PushNotificationRepository } from './push-notification-repository.js'
import { PushRecipients } from './push-recipients.js'

const messagesPerRound = 1000
/** Devices are told of the newest of what was just read. */
const maxIdsPerNotification = 200

/** Takes notifications away from devices whose owners have read the messages elsewhere. */
@perServer()
export class ReadNotices {
  constructor(
    @inject(PushNotificationRepository) private readonly waiting: PushNotificationRepository,
    @inject(PushRecipients) private readonly recipients: PushRecipients,
  ) {}

  /** Queues notifications about everything that has been read, or is gone. */
  async queue(tx: Transaction): Promise<void> {
    const read = await this.waiting.takeRead(tx, messagesPerRound)
    const rows = [...idsByUser(read)].flatMap(([user_id, ids]) =>
      this.recipients.notificationsFor(
        // Those without devices of a family are found when it is sent.
        { user_id, has_devices: true, has_tokens: true },
        { type: 'remove', messageIds: ids.slice(-maxIdsPerNotification) },
      ),
    )
    await this.waiting.insertNotifications(tx, rows)
  }
}
