import type { ChangedIds, Changes, NumberedRecord, RecordKind } from '../record-kind.js'

/** @param userIds the recipients that the record names, besides those of an interned list. */
type RecordObserver = (
  organizationId: number,
  record: NumberedRecord,
  userIds: Iterable<number>,
) => void
type EndObserver = (organizationId: number) => void

/**
 * The observers of committed records: they are called for this process's at once, for others' as
 * soon as they are read. A record is reported once, unless the bus delivers it again after the log
 * was read.
 */
export class LogObservers {
  readonly #byKind = new Map<string, Set<RecordObserver>>()
  readonly #ofAll = new Set<RecordObserver>()
  readonly #ofEnds = new Set<EndObserver>()
  /** The kinds of records that change what is kept in memory. */
  readonly #remembered = new Set<string>()

  /** Observes the records of one kind. */
  on<Data>(
    by: RecordKind<Data>,
    observer: (organizationId: number, data: Data, userIds: Iterable<number>) => void,
  ): void {
    this.#add(by.kind, (organizationId, record, userIds) => {
      if (by.describes(record)) observer(organizationId, record.data, userIds)
    })
  }

  /**
   * Observes changes of what is kept in memory: a transaction with one is not batched with later
   * writes. All is changed, by no record, when the process stops following the log.
   */
  onChanges(
    changes: Changes,
    observer: (organizationId: number, ids: ChangedIds, seq: number | undefined) => void,
  ): void {
    for (const kind of changes.kinds) {
      this.#remembered.add(kind)
      this.#add(kind, (organizationId, record, userIds) =>
        observer(organizationId, changes.idsIn(record, userIds), record.seq),
      )
    }
    this.onEnd((organizationId) => observer(organizationId, 'all', undefined))
  }

  /** @returns a function that ends the observation. */
  onAny(observer: RecordObserver): () => void {
    this.#ofAll.add(observer)
    return () => this.#ofAll.delete(observer)
  }

  /** Observes that the process stops following the log of an organization. */
  onEnd(observer: EndObserver): void {
    this.#ofEnds.add(observer)
  }

  /** Whether a record of this kind changes something that this process keeps in memory. */
  changesMemory(kind: string): boolean {
    return this.#remembered.has(kind)
  }

  protected report(
    organizationId: number,
    record: NumberedRecord,
    userIds: Iterable<number> = [],
  ): void {
    for (const observer of this.#byKind.get(record.kind) ?? []) {
      observer(organizationId, record, userIds)
    }
    for (const observer of this.#ofAll) observer(organizationId, record, userIds)
  }

  protected reportEnd(organizationId: number): void {
    for (const observer of this.#ofEnds) observer(organizationId)
  }

  #add(kind: string, observer: RecordObserver): void {
    const observers = this.#byKind.get(kind) ?? new Set()
    this.#byKind.set(kind, observers.add(observer))
  }
}
