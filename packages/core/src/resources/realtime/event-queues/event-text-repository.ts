import { textRemoved } from '../../../events/log/text-changes.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type EventRow, type Transaction } from '../../../storage/index.js'

/**
 * This many ids fit into one statement on every database; as numbers, they need no placeholders.
 */
const idsPerStatement = 5000
/** The number of entries read at once; each may have a text of some hundred kilobytes. */
const textsPerRead = 50

/** An entry with its text. */
export type EventText = Pick<EventRow, 'seq' | 'kind' | 'data'>

/** Finds and changes the entries of the event log that contain texts of messages. */
@perServer()
export class EventTextRepository {
  /** The sequence numbers of the entries with texts of messages, except those of some kinds. */
  async listSeqs(
    tx: Transaction,
    messageIds: readonly number[],
    exceptKinds: readonly string[],
  ): Promise<number[]> {
    const seqs: number[] = []
    for (const ids of chunksOf(messageIds)) {
      const rows = await this.#ofMessages(tx, ids)
        .whereNotIn('kind', [...exceptKinds])
        .select<{ seq: number }[]>('seq')
      for (const { seq } of rows) seqs.push(seq)
    }
    return seqs
  }

  /** Calls `use` with every entry of some kinds that contains a text of one of the messages. */
  async each(
    tx: Transaction,
    messageIds: readonly number[],
    kinds: readonly string[],
    use: (row: EventText) => Promise<void>,
  ): Promise<void> {
    for (const ids of chunksOf(messageIds)) {
      let rows: EventText[] = []
      do {
        rows = await this.#ofMessages(tx, ids)
          .whereIn('kind', [...kinds])
          .where('seq', '>', rows.at(-1)?.seq ?? 0)
          .orderBy('seq')
          .limit(textsPerRead)
          .select<EventText[]>('seq', 'kind', 'data')
        for (const row of rows) await use(row)
      } while (rows.length === textsPerRead)
    }
  }

  async replace(tx: Transaction, seq: number, data: string): Promise<void> {
    await this.#update(tx, [seq], { data })
  }

  /** Clears everything in the entries except their sequence numbers. */
  async erase(tx: Transaction, seqs: readonly number[]): Promise<void> {
    await this.#update(tx, seqs, {
      kind: textRemoved.kind,
      data: '{}',
      recipients: null,
      audience_id: null,
      follower_audience_id: null,
      withdrawn_audience_id: null,
      message_id: null,
    })
  }

  /** Excludes entries from queues that receive all public channels. */
  async endFollowing(tx: Transaction, seqs: readonly number[]): Promise<void> {
    await this.#update(tx, seqs, { follower_audience_id: null })
  }

  /** Groups the entries by the list of users from whom they are withdrawn. */
  async listWithdrawn(
    tx: Transaction,
    seqs: readonly number[],
  ): Promise<ReadonlyMap<number | null, readonly number[]>> {
    const byList = new Map<number | null, number[]>()
    for (const chunk of chunksOf(seqs)) {
      const rows = await tx
        .query('events')
        .whereRaw(`seq IN (${idList(chunk)})`)
        .select<Pick<EventRow, 'seq' | 'withdrawn_audience_id'>[]>('seq', 'withdrawn_audience_id')
      for (const row of rows) addTo(byList, row.withdrawn_audience_id, row.seq)
    }
    return byList
  }

  async setWithdrawn(tx: Transaction, seqs: readonly number[], audienceId: number): Promise<void> {
    await this.#update(tx, seqs, { withdrawn_audience_id: audienceId })
  }

  #ofMessages(tx: Transaction, messageIds: readonly number[]) {
    return tx.query('events').whereRaw(`message_id IN (${idList(messageIds)})`)
  }

  async #update(
    tx: Transaction,
    seqs: readonly number[],
    changes: Partial<EventRow>,
  ): Promise<void> {
    for (const chunk of chunksOf(seqs)) {
      await tx
        .query('events')
        .whereRaw(`seq IN (${idList(chunk)})`)
        .update(changes)
    }
  }
}

function* chunksOf(ids: readonly number[]): Iterable<readonly number[]> {
  for (let start = 0; start < ids.length; start += idsPerStatement) {
    yield ids.slice(start, start + idsPerStatement)
  }
}
