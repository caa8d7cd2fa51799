import { inject } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { isGuest, type Role } from '../../../domain/users/actor.js'
import { EventDelivery } from '../../../events/delivery.js'
import type { EventQueue } from '../../../events/queues/event-queue.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { EventQueueRepository, type RivalQueueRow } from './event-queue-repository.js'
import { unnotedSeconds } from './queue-lifespan.js'
import { QueueRemoval } from './queue-removal.js'

/** The time of a queue's last use, as far as this process can determine it. */
interface LastUse {
  readonly row: RivalQueueRow
  /** In clock milliseconds; infinite while a client waits in this process. */
  readonly atMilliseconds: number
  /** Whether it is an estimate, because another process may have served the queue until then. */
  readonly isEstimate: boolean
}

/** Limits the number of queues of each user, and the idle timeouts of guests. */
@perServer()
export class QueueLimit implements AccountStep {
  constructor(
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(QueueRemoval) private readonly removal: QueueRemoval,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** Inserts a queue, unless its user has as many as are allowed. @returns whether it was inserted. */
  async insertWithin(tx: Transaction, queue: EventQueue, nowSeconds: number): Promise<boolean> {
    await this.queues.lockOwner(tx, queue.userId)
    return this.queues.insertIfFewer(tx, queue, nowSeconds, limits.maxQueuesPerUser)
  }

  /** Removes the user's queues that have been idle longest, until another queue is allowed. */
  async makeRoom(tx: Transaction, userId: number): Promise<void> {
    await this.queues.lockOwner(tx, userId)
    const rows = await this.queues.lockAllOf(tx, userId)
    const surplus = rows.length - limits.maxQueuesPerUser + 1
    if (surplus <= 0) return
    const idleLongest = rows
      .map((row) => this.#lastUse(row))
      .sort(byLastUse)
      .slice(0, surplus)
    await this.removal.remove(
      tx,
      idleLongest.map(({ row }) => row),
    )
  }

  async roleChanged(tx: Transaction, user: UserRow, _oldRole: Role): Promise<void> {
    if (!isGuest(user)) return
    await this.queues.limitIdleTimeouts(tx, user.id, limits.maxGuestQueueIdleSeconds)
  }

  #lastUse(row: RivalQueueRow): LastUse {
    const live = this.delivery.find(row.id)
    if (live?.consumer !== undefined) {
      return { row, atMilliseconds: Number.POSITIVE_INFINITY, isEstimate: false }
    }
    const notedAtSeconds = row.last_seen_at_seconds
    const isNotedHere =
      live !== undefined &&
      !live.isNotedElsewhere &&
      Math.floor(live.savedAtMilliseconds / 1000) >= notedAtSeconds
    if (isNotedHere) return { row, atMilliseconds: live.usedAtMilliseconds, isEstimate: false }
    // A client may be waiting there now: its use is not written at once.
    const slackSeconds = unnotedSeconds(row.idle_timeout_seconds, this.facts.heartbeatSeconds)
    return {
      row,
      atMilliseconds: Math.min(this.clock.now(), (notedAtSeconds + slackSeconds) * 1000),
      isEstimate: true,
    }
  }
}

function byLastUse(a: LastUse, b: LastUse): number {
  if (a.atMilliseconds !== b.atMilliseconds) return a.atMilliseconds - b.atMilliseconds
  if (a.isEstimate !== b.isEstimate) return a.isEstimate ? 1 : -1
  return a.row.created_seq - b.row.created_seq || (a.row.id < b.row.id ? -1 : 1)
}
