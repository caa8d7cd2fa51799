import { inject, injectAll } from 'tsyringe'

import { EventDelivery } from '../../../events/delivery.js'
import { defineRecord } from '../../../events/record-kind.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { EventQueueRepository, type EndingQueueRow } from './event-queue-repository.js'
import { QueueEndStepToken, type QueueEndStep } from './queue-end-steps.js'

/** Processes stop serving the queue. */
export const queueRemoved = defineRecord<{ readonly id: string }>('@queue-removed')

/** Removes queues without a request of their clients. */
@perServer()
export class QueueRemoval {
  constructor(
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @injectAll(QueueEndStepToken) private readonly endSteps: readonly QueueEndStep[],
  ) {}

  /** @param rows queues that the transaction has locked. */
  async remove(tx: Transaction, rows: readonly EndingQueueRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id)
    for (const id of ids) tx.emit(queueRemoved({ id }))
    await this.queues.deleteMany(tx, ids)
    const ended = rows.map((row) => ({
      userId: row.user_id,
      takesMessages: row.takes_messages,
      acknowledgedId: Math.max(
        row.acknowledged_id,
        this.delivery.find(row.id)?.acknowledgedId ?? 0,
      ),
    }))
    for (const step of this.endSteps) await step.ended(tx, ended)
  }
}
