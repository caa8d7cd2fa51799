import { randomToken } from '../../../kernel/random.js'

/**
 * A new id of a queue. It contains the id of its user, so that the owner of a queue is known when
 * the queue does not exist any more.
 *
 * @param epoch of the organization; without `-`.
 */
export function newQueueId(epoch: string, userId: number): string {
  return `${epoch}-${userId}-${randomToken(18)}`
}

/** Whether a text has the form of the id of a user's queue. */
export function isQueueOf(userId: number, queueId: string): boolean {
  const [, owner, random] = queueId.split('-', 3)
  return owner === String(userId) && random !== undefined
}
