import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { NotificationQueue } from './notification-queue.js'
import { idsByUser, PushNotificationRepository } from './push-notification-repository.js'

const messagesPerRound = 1000
/** Only the newest of the messages that were just read are sent to devices. */
const maxIdsPerNotification = 200

/** Removes notifications of messages that were read on another client. */
@perServer()
export class ReadNotificationRemovals {
  constructor(
    @inject(PushNotificationRepository) private readonly notifications: PushNotificationRepository,
    @inject(NotificationQueue) private readonly queue: NotificationQueue,
  ) {}

  /**
   * Queues removals for messages that were read or deleted.
   *
   * @returns whether there may be more.
   */
  async add(tx: Transaction): Promise<boolean> {
    const read = await this.notifications.takeRead(tx, messagesPerRound)
    const newest = [...idsByUser(read)].map(
      ([userId, ids]) => [userId, ids.slice(-maxIdsPerNotification)] as const,
    )
    await this.queue.addRemovals(tx, new Map(newest))
    return read.length === messagesPerRound
  }
}
