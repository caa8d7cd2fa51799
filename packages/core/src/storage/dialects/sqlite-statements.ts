import { LRUCache } from 'lru-cache'

import { systemClock, type Timer } from '../../kernel/clock.js'
import { timeLimitOf } from './time-limit.js'

const maxKept = 250
const maxCandidates = 1000

type Callback = (this: unknown, error: Error | null, rows?: unknown) => void

/** A compiled statement of the `sqlite3` driver. */
interface Statement {
  all(bindings: unknown, callback: Callback): unknown
  run(bindings: unknown, callback: Callback): unknown
  finalize(): unknown
}

/** The methods that Knex calls on a connection of the `sqlite3` driver. */
export interface Sqlite3Connection {
  all(sql: string, bindings: unknown, callback: Callback): unknown
  run(sql: string, bindings: unknown, callback: Callback): unknown
  prepare(sql: string, onError: (error: Error | null) => void): Statement
  close(callback: (error: Error | null) => void): unknown
  /** Ends the statements that are running. */
  interrupt(): void
}

/**
 * Caches the compiled statements of a connection. The driver would compile each statement anew,
 * which takes a second round trip to another thread and most of the time of a small statement.
 */
export function keepStatements(connection: Sqlite3Connection): void {
  const kept = new LRUCache<string, Statement>({
    max: maxKept,
    dispose: (statement) => statement.finalize(),
  })
  // Statements with inlined values occur once; they must not evict the others.
  const candidates = new LRUCache<string, true>({ max: maxCandidates })

  for (const method of ['all', 'run'] as const) {
    const compileAnew = connection[method].bind(connection)
    connection[method] = (sql, bindings, callback) => {
      const statement = kept.get(sql)
      if (statement !== undefined) return statement[method](bindings, callback)
      if (!candidates.has(sql)) {
        candidates.set(sql, true)
        return compileAnew(sql, bindings, callback)
      }
      const compiled = connection.prepare(sql, (error) => {
        if (error === null) return
        kept.delete(sql)
        callback.call(undefined, error)
      })
      kept.set(sql, compiled)
      return compiled[method](bindings, callback)
    }
  }

  const close = connection.close.bind(connection)
  connection.close = (callback) => {
    // A connection with open statements refuses to close.
    kept.clear()
    return close(callback)
  }
}

/** Ends the statements of a connection that exceed their time limit. */
export function limitStatements(connection: Sqlite3Connection): void {
  const all = connection.all.bind(connection)
  connection.all = (sql, bindings, callback) => {
    const limitMilliseconds = timeLimitOf(sql)
    if (limitMilliseconds === undefined) return all(sql, bindings, callback)
    const interruptLater = (): Timer =>
      systemClock.setTimeout(() => {
        connection.interrupt()
        // A statement that waits for a thread has not begun yet.
        timer = interruptLater()
      }, limitMilliseconds)
    let timer = interruptLater()
    return all(sql, bindings, function (error, rows) {
      timer.cancel()
      callback.call(this, error, rows)
    })
  }
}

/** The methods that Knex calls on a connection of a synchronous driver. */
export interface SynchronousConnection {
  prepare(sql: string): object
  exec(sql: string): unknown
}

/** The same for a connection of a synchronous driver, which finalizes its statements by itself. */
export function keepSynchronousStatements(connection: SynchronousConnection): void {
  const kept = new LRUCache<string, object>({ max: maxKept })
  const candidates = new LRUCache<string, true>({ max: maxCandidates })
  const compile = connection.prepare.bind(connection)
  connection.prepare = (sql) => {
    const known = kept.get(sql)
    if (known !== undefined) return known
    const statement = compile(sql)
    if (candidates.has(sql)) kept.set(sql, statement)
    else candidates.set(sql, true)
    return statement
  }
}
