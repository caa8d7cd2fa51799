import { Type } from 'typebox'

import type { BusListener, EventBus } from '../../../packages/core/src/events/bus/bus.js'
import { defineEvent, type EventDefinition } from '../../../packages/core/src/events/event.js'
import type { EventLog } from '../../../packages/core/src/events/log/event-log.js'
import type { LogRecord } from '../../../packages/core/src/events/log/log-entry.js'
import type { UncommittedChanges } from '../../../packages/core/src/events/log/kept-values.js'
import type { EventQueue } from '../../../packages/core/src/events/queues/event-queue.js'

export const organizationId = 1

/** An event that its queue receives as `copies` events. */
export const noted = defineEvent<{ text: string; copies: number }>({
  type: 'note',
  summary: 'For tests.',
  payload: Type.Object({ text: Type.String() }),
  variant: ({ applyMarkdown }) => String(applyMarkdown),
  render: ({ text, copies }, { applyMarkdown }) =>
    Array.from({ length: copies }, (_, copy) => ({
      type: 'note',
      text: applyMarkdown ? `<p>${text}.${copy}</p>` : `${text}.${copy}`,
    })),
})

/** An ephemeral event, which is not in the log. */
export const whispered = defineEvent<{ text: string }>({
  type: 'whisper',
  summary: 'For tests.',
  payload: Type.Object({ text: Type.String() }),
})

export const definitions = [
  noted.definition,
  whispered.definition,
] as readonly EventDefinition<never>[] as readonly EventDefinition[]

export function sampleQueue(options: Partial<EventQueue> = {}): EventQueue {
  return {
    id: 'epoch-queue',
    organizationId,
    userId: 1,
    createdSeq: 0,
    eventTypes: null,
    narrow: [],
    allPublicStreams: false,
    applyMarkdown: false,
    clientGravatar: true,
    slimPresence: false,
    includeSubscribers: false,
    capabilities: {},
    clientName: 'tests',
    idleTimeoutSeconds: 600,
    ...options,
  }
}

/** There are no transactions of an application. */
const noUncommittedChanges: UncommittedChanges = {
  kinds: () => new Set(),
  settle: () => undefined,
  outside: (work) => work(),
  memoize: (_cache, _organizationId, load) => load(),
}

/** The log of one organization in memory, shared by several processes. */
export class SampleLog implements EventLog {
  readonly uncommitted = noUncommittedChanges
  readonly records: LogRecord[] = []
  readonly audiences = new Map<number, ReadonlySet<number>>()
  readonly #read = new Map<number, ReadonlySet<number>>()
  floorSeq = 0
  reads = 0
  isDown = false
  /** Whether only the numbers of the newest entries can be read. */
  areRecordsDown = false
  headReads = 0

  commit(userIds: readonly number[], text: string, copies = 1): LogRecord {
    const record: LogRecord = {
      organizationId,
      seq: this.records.length + 1,
      kind: 'note',
      audienceId: null,
      recipients: { userIds },
      groups: [],
      data: { text, copies },
    }
    this.records.push(record)
    return record
  }

  async headSeqs(): Promise<ReadonlyMap<number, number>> {
    this.#requireUp()
    this.headReads += 1
    return new Map([[organizationId, this.records.length]])
  }

  async read(_: number, afterSeq: number, limit: number): Promise<readonly LogRecord[]> {
    this.#requireUp()
    if (this.areRecordsDown) throw new Error('the records cannot be read')
    this.reads += 1
    const from = Math.max(afterSeq, this.floorSeq)
    return this.records.slice(from, from + limit)
  }

  knownAudience(audienceId: number): ReadonlySet<number> | undefined {
    return this.#read.get(audienceId)
  }

  async audience(_: number, audienceId: number): Promise<ReadonlySet<number>> {
    const known = this.knownAudience(audienceId)
    if (known !== undefined) return known
    this.#requireUp()
    const users = this.audiences.get(audienceId) ?? new Set<number>()
    this.#read.set(audienceId, users)
    return users
  }

  async tick(): Promise<void> {
    this.records.push({ ...this.commit([], ''), kind: '@tick' })
    this.records.splice(-2, 1)
  }

  #requireUp(): void {
    if (this.isDown) throw new Error('the database is down')
  }
}

/** An event bus that delivers only what a test allows. */
export class SampleBus implements EventBus {
  readonly #listeners = new Set<BusListener>()

  publishRecords(id: number, records: readonly LogRecord[]): void {
    for (const listener of this.#listeners) listener.onRecords(id, records)
  }

  /** Reports the commit of another process. */
  publishHead(id: number, seq: number): void {
    for (const listener of this.#listeners) listener.onHead(id, seq)
  }

  publishEphemeral(event: Parameters<EventBus['publishEphemeral']>[0]): void {
    for (const listener of this.#listeners) listener.onEphemeral(event)
  }

  subscribe(listener: BusListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {}
}
