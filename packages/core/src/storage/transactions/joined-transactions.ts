import { AsyncLocalStorage } from 'node:async_hooks'

import type { Knex } from 'knex'

import type { UncommittedChanges } from '../../events/log/kept-values.js'
import type { FollowedCommits } from './followed-commits.js'

/** The writes of calls in a transaction of the application that is not committed yet. */
class Writes {
  readonly #kinds = new Map<number, Set<string>>()
  /** Changes with every write, so that values that were read before it are read again. */
  version = 0

  add(organizationId: number, kinds: readonly string[]): void {
    this.version += 1
    this.#kinds.set(organizationId, new Set([...this.kinds(organizationId), ...kinds]))
  }

  kinds(organizationId: number): ReadonlySet<string> {
    return this.#kinds.get(organizationId) ?? none
  }
}

/** Values that were read in a transaction, by cache and organization. */
interface ReadValues {
  readonly version: number
  readonly byCache: Map<object, Map<number, Promise<unknown>>>
}

interface JoinedCall {
  readonly transaction: Knex.Transaction
  readonly writes: Writes
  /** False once the call has ended: work that it has started then continues outside. */
  isRunning: boolean
}

const none: ReadonlySet<string> = new Set()

/**
 * The transactions of the application that calls of its own code join. During such a call, all
 * statements of the operation run in the transaction, wherever they are in the code, so that the
 * operation sees the writes of earlier calls in the same transaction.
 */
export class JoinedTransactions implements UncommittedChanges {
  readonly #calls = new AsyncLocalStorage<JoinedCall | undefined>()
  /** By the outermost transaction, because savepoints in it see each other's writes. */
  readonly #writes = new WeakMap<Knex.Transaction, Writes>()
  /** Settles when the last writing call of a transaction has ended. */
  readonly #turns = new WeakMap<Knex.Transaction, Promise<unknown>>()
  readonly #values = new WeakMap<Knex.Transaction, ReadValues>()
  /** By organization: the number of writes whose events are not published yet. */
  readonly #publishing = new Map<number, number>()
  /** The outermost transactions that Knex has not begun. */
  readonly #ofExecutors = new WeakSet<Knex.Transaction>()

  constructor(readonly followed: FollowedCommits) {}

  /** Whether a transaction was made from an executor, so that nothing reports its end. */
  isOfExecutor(outer: Knex.Transaction): boolean {
    return this.#ofExecutors.has(outer)
  }

  /** Begins a call in a transaction of an executor, which may be a later one than before. */
  beginOfExecutor(outer: Knex.Transaction): void {
    this.#ofExecutors.add(outer)
    const writes = this.#writes.get(outer)
    // A connection is used for many transactions. While one is open, its writes are followed.
    if (!this.followed.isFollowing(outer)) this.#writes.delete(outer)
    else if (writes !== undefined) writes.version += 1
  }

  /** Runs a call whose statements join `transaction`. */
  async run<Result>(transaction: Knex.Transaction, call: () => Promise<Result>): Promise<Result> {
    const outer = outermost(transaction)
    const writes = this.#writes.get(outer) ?? new Writes()
    this.#writes.set(outer, writes)
    const joined = { transaction, writes, isRunning: true }
    try {
      return await this.#calls.run(joined, call)
    } finally {
      joined.isRunning = false
    }
  }

  /** Runs a call after the earlier ones that were given the same transaction. */
  async inTurn<Result>(
    transaction: Knex.Transaction,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const outer = outermost(transaction)
    const current = this.transaction
    // A call that another call makes, in a hook of the application, is part of that call.
    if (current !== undefined && outermost(current) === outer) return call()
    const turn = (this.#turns.get(outer) ?? Promise.resolve()).then(call)
    this.#turns.set(
      outer,
      turn.catch(() => {}),
    )
    return turn
  }

  /** Whether rows may have changed whose events this process has not seen yet. */
  isPublishing(organizationId: number): boolean {
    return this.#publishing.has(organizationId)
  }

  /** Counts a write that begins, or whose events are published. */
  countPublishing(organizationId: number, change: 1 | -1): void {
    const count = (this.#publishing.get(organizationId) ?? 0) + change
    if (count === 0) this.#publishing.delete(organizationId)
    else this.#publishing.set(organizationId, count)
  }

  /** The transaction that the current call has joined, if any. */
  get transaction(): Knex.Transaction | undefined {
    return this.#current?.transaction
  }

  /** Notes the events that were written in a transaction of the application. */
  noteEvents(
    transaction: Knex.Transaction,
    organizationId: number,
    kinds: readonly string[],
  ): void {
    this.#writes.get(outermost(transaction))?.add(organizationId, kinds)
  }

  settle(organizationId: number): undefined | Promise<void> {
    return this.followed.settle(organizationId)
  }

  kinds(organizationId: number): ReadonlySet<string> {
    return this.#current?.writes.kinds(organizationId) ?? none
  }

  outside<Result>(work: () => Result): Result {
    return this.#current === undefined ? work() : this.#calls.run(undefined, work)
  }

  memoize<Value>(
    cache: object,
    organizationId: number,
    load: () => Promise<Value>,
  ): Promise<Value> {
    const call = this.#current
    if (call === undefined) return load()
    const { transaction, writes } = call
    let values = this.#values.get(transaction)
    if (values?.version !== writes.version) {
      values = { version: writes.version, byCache: new Map() }
      this.#values.set(transaction, values)
    }
    const ofCache = values.byCache.get(cache) ?? new Map<number, Promise<unknown>>()
    values.byCache.set(cache, ofCache)
    const known = ofCache.get(organizationId) ?? load()
    ofCache.set(organizationId, known)
    return known as Promise<Value>
  }

  get #current(): JoinedCall | undefined {
    const call = this.#calls.getStore()
    return call?.isRunning === true ? call : undefined
  }
}

/** The outermost of the application's nested transactions, whose commit decides. */
export function outermost(transaction: Knex.Transaction): Knex.Transaction {
  let current = transaction
  while (current.parentTransaction !== undefined) current = current.parentTransaction
  return current
}
