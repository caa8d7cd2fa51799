import type { Audience, PendingEvent } from './event.js'

/** A record of the log, or an event that becomes one. */
export interface AnyRecord {
  readonly kind: string
  readonly data: unknown
}

/** A record with its number in the log. */
export interface NumberedRecord extends AnyRecord {
  readonly seq: number
}

interface RecordOf<Data> extends AnyRecord {
  readonly data: Data
}

/** A kind of records of the log: an event of clients, or what processes tell each other. */
export interface RecordKind<Data = unknown> {
  readonly kind: string
  /** Whether a record is of this kind. */
  describes(record: AnyRecord): record is RecordOf<Data>
}

/** Creates records of one kind that no client gets. */
export interface RecordFactory<Data> extends RecordKind<Data> {
  (data: Data, audience?: Audience): PendingEvent
}

export function recordKind<Data>(kind: string): RecordKind<Data> {
  return {
    kind,
    describes: (record): record is RecordOf<Data> => record.kind === kind,
  }
}

/** Declares a kind of records that no client gets, and returns its factory. */
export function defineRecord<Data>(kind: `@${string}`): RecordFactory<Data> {
  const make = (data: Data, audience: Audience = {}): PendingEvent => ({ kind, data, audience })
  return Object.assign(make, recordKind<Data>(kind))
}

/** The ids of what a record changes. */
export type ChangedIds = readonly number[] | 'all'

/** A kind of records, with the ids of what they change. */
export interface ChangingKind {
  readonly kind: string
  idsIn(record: AnyRecord, userIds: Iterable<number>): ChangedIds
}

/**
 * @param ids the ids of what a record changes, from its data and the recipients that it names besides
 *   those of an interned list.
 */
export function changing<Data>(
  by: RecordKind<Data>,
  ids: (data: Data, userIds: Iterable<number>) => ChangedIds,
): ChangingKind {
  return {
    kind: by.kind,
    idsIn: (record, userIds) => (by.describes(record) ? ids(record.data, userIds) : []),
  }
}

/** The kinds of records that change something that is kept in memory. */
export class Changes {
  readonly kinds: readonly string[]
  readonly #kinds: ReadonlyMap<string, ChangingKind | undefined>

  /** @param all those without ids change everything. */
  constructor(readonly all: readonly (RecordKind | ChangingKind)[]) {
    this.#kinds = new Map(all.map((by) => [by.kind, 'idsIn' in by ? by : undefined]))
    this.kinds = [...this.#kinds.keys()]
  }

  includes(kind: string): boolean {
    return this.#kinds.has(kind)
  }

  includesAny(kinds: ReadonlySet<string>): boolean {
    return kinds.size > 0 && this.kinds.some((kind) => kinds.has(kind))
  }

  /** The ids of what a record changes; none if it is of another kind. */
  idsIn(record: AnyRecord, userIds: Iterable<number> = []): ChangedIds {
    if (!this.#kinds.has(record.kind)) return []
    return this.#kinds.get(record.kind)?.idsIn(record, userIds) ?? 'all'
  }
}
