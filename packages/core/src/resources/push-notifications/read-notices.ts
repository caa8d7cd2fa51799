import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { NotificationQueue } from './notification-queue.js'
import { idsByUser, PushNotificationRepository } from './push-notification-repository.js'

const messagesPerRound = 1000
/** Devices are told of the newest of what was just read. */
const maxIdsPerNotification = 200

/** Takes notifications away from devices whose owners have read the messages elsewhere. */
@perServer()
export class ReadNotices {
  constructor(
    @inject(PushNotificationRepository) private readonly waiting: PushNotificationRepository,
    @inject(NotificationQueue) private readonly queue: NotificationQueue,
  ) {}

  /**
   * Queues notifications about what has been read, or is gone.
   *
   * @returns whether there may be more of it.
   */
  async add(tx: Transaction): Promise<boolean> {
    const read = await this.waiting.takeRead(tx, messagesPerRound)
    const newest = [...idsByUser(read)].map(
      ([userId, ids]) => [userId, ids.slice(-maxIdsPerNotification)] as const,
    )
    await this.queue.addRemovals(tx, new Map(newest))
    return read.length === messagesPerRound
  }
}
