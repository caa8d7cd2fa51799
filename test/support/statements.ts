import knexPackage from 'knex'

import { within } from './waiting.js'

/** One statement that some Knex instance of this process has sent. */
export interface Statement {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

interface QueryEvent extends Statement {
  readonly __knexQueryUid: string
}

/**
 * Notes every statement that is sent while `work` runs, by whatever pool: those of a server are
 * its own, so that nobody could subscribe to their `query` events.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const prototype = knexPackage.Client.prototype as {
    emit: (this: unknown, name: string, ...args: readonly unknown[]) => boolean
  }
  const original = prototype.emit
  // A transaction passes its events on to its pool, so each is told twice.
  const noted = new Map<string, Statement>()
  prototype.emit = function (name, ...args) {
    if (name === 'query') {
      const { __knexQueryUid: id, sql, bindings } = args[0] as QueryEvent
      noted.set(id, { sql, bindings })
    }
    return original.call(this, name, ...args)
  }
  try {
    await work()
  } finally {
    prototype.emit = original
  }
  return [...noted.values()]
}

/**
 * Resolves when a statement has been answered that Knex has sent, to whatever pool.
 *
 * @throws {Error} if none has within the time that tests wait.
 */
export async function answered(pattern: RegExp, work: () => void): Promise<void> {
  const prototype = knexPackage.Client.prototype as {
    emit: (this: unknown, name: string, ...args: readonly unknown[]) => boolean
  }
  const original = prototype.emit
  try {
    const coming = new Promise<void>((resolve) => {
      prototype.emit = function (name, ...args) {
        const sql = name === 'query-response' ? (args[1] as QueryEvent).sql : undefined
        if (sql !== undefined && pattern.test(sql)) resolve()
        return original.call(this, name, ...args)
      }
    })
    work()
    await within(`a statement like ${pattern}`, coming)
  } finally {
    prototype.emit = original
  }
}
