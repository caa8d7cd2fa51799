import { LRUCache } from 'lru-cache'

import { entryLimit } from '../../kernel/entry-limit.js'

/** How often a statement comes before it gets a name. */
const usesBeforeName = 5
const maxCounted = 1000
/** Each session of the server keeps the plans of all names that it has seen. */
const maxNames = 300
/** Longer statements mostly have lists of values, and do not come again. */
const maxTextLength = 8000

/** Names for the statements that come often: a session parses and plans each of these once. */
export class StatementNames {
  readonly #uses = new LRUCache<string, number>(entryLimit(maxCounted))
  readonly #names = new Map<string, string>()
  #renewals = 0

  /** @returns undefined if the statement has no name. */
  of(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || sql.length > maxTextLength || this.#names.size === maxNames) {
      return known
    }
    const uses = (this.#uses.get(sql) ?? 0) + 1
    this.#uses.set(sql, uses)
    if (uses < usesBeforeName) return undefined
    this.#uses.delete(sql)
    const name = `parley_${this.#renewals}_${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }

  /** Lets statements get other names, because tables have changed since they were planned. */
  renew(): void {
    this.#renewals += 1
    this.#names.clear()
  }
}
