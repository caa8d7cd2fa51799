import { ChatError } from '../../errors/index.js'
import type { EventCatalogue } from '../event-catalogue.js'
import type { EventLog } from '../log/event-log.js'
import type { FollowedLogs } from '../log/followed-logs.js'
import type { OrganizationTail } from '../log/organization-tail.js'
import { EventBatchBuilder, maxBatchCharacters } from './event-batch-builder.js'
import type { LiveQueue } from './live-queue.js'
import type { EventBatch } from './shared-events.js'

const readPageSize = 500

interface BacklogReaderParts {
  readonly log: EventLog
  readonly logs: FollowedLogs
  readonly catalogue: EventCatalogue
  /** Completes a batch with what is not in the log. */
  readonly complete: (builder: EventBatchBuilder, live: LiveQueue, seenSeq: number) => EventBatch
}

/** Collects the events of queues that need a read of the log. */
export class BacklogReader {
  constructor(private readonly parts: BacklogReaderParts) {}

  /**
   * The events after `cursor`, without texts that were removed while they were collected.
   *
   * @throws {ChatError} `BAD_EVENT_QUEUE_ID` if the log no longer reaches back to `cursor`.
   */
  async collect(live: LiveQueue, cursor: number, maxCharacters: number): Promise<EventBatch> {
    const { logs } = this.parts
    const tail = await logs.open(live.queue.organizationId)
    // Without the database, the answer may still be that there are no events.
    await logs.refresh(tail).catch(() => {})
    const startSeq = live.startSeq(cursor)
    let isOutdated = false
    const onTextChange = (seqs: readonly number[]): void => {
      isOutdated ||= seqs.some((seq) => seq > startSeq)
    }
    tail.onTextChanges.add(onTextChange)
    try {
      for (;;) {
        const batch = await this.#read(tail, live, cursor, maxCharacters)
        if (batch.events.length === 0) return batch
        await logs.refresh(tail)
        if (!isOutdated) return batch
        isOutdated = false
      }
    } finally {
      tail.onTextChanges.delete(onTextChange)
    }
  }

  async #read(
    tail: OrganizationTail,
    live: LiveQueue,
    cursor: number,
    maxCharacters: number,
  ): Promise<EventBatch> {
    const { log, catalogue, complete } = this.parts
    const { id, organizationId } = live.queue
    const builder = new EventBatchBuilder(catalogue, live, cursor, maxCharacters, -Infinity)
    // Entries that do not fit into a small response would be read again for the next one.
    const pageSize = Math.ceil((readPageSize * maxCharacters) / maxBatchCharacters)
    let seq = live.startSeq(cursor)
    while (!tail.reachesBackTo(seq)) {
      const records = await log.read(organizationId, seq, pageSize)
      // The log has no gaps of its own: missing entries were deleted as too old.
      if (records[0]?.seq !== seq + 1) {
        throw new ChatError('BAD_EVENT_QUEUE_ID', { fields: { queue_id: id } })
      }
      for (const record of records) {
        seq = record.seq
        if (!builder.add(await tail.entryOf(record))) return builder.partial()
      }
    }
    for (const entry of tail.after(seq)) {
      if (!builder.add(entry)) return builder.partial()
    }
    return complete(builder, live, Math.max(seq, tail.headSeq))
  }
}
