import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { IdList } from './id-list.js'

/** References to rows that have not been read yet; a correct archive has few of them. */
const maxPending = 1_000_000

/** The ids in an archive, by table, as far as it was read, and the references to them. */
export class KnownRows {
  readonly #ids = new Map<string, IdList>()
  readonly #pending = new Map<string, Set<number>>()
  #pendingCount = 0

  /** @returns a problem, if the id does not follow those before. */
  add(table: string, id: number): string | undefined {
    let ids = this.#ids.get(table)
    if (ids === undefined) this.#ids.set(table, (ids = new IdList()))
    if (id <= ids.last) return `the id ${id} does not follow ${ids.last}`
    ids.add(id)
    return undefined
  }

  /** Notes that a row refers to another. @returns a problem, if there are too many unknown ones. */
  refer(table: string, id: number): string | undefined {
    if (this.#ids.get(table)?.has(id) === true) return undefined
    if (table === 'users' && isSystemBotId(id)) return undefined
    let pending = this.#pending.get(table)
    if (pending === undefined) this.#pending.set(table, (pending = new Set()))
    if (pending.has(id)) return undefined
    pending.add(id)
    this.#pendingCount += 1
    return this.#pendingCount > maxPending ? 'too many unknown ids' : undefined
  }

  /** References to rows that the archive does not contain, at its end. */
  problems(): string[] {
    return [...this.#pending].flatMap(([table, ids]) =>
      [...ids]
        .filter((id) => this.#ids.get(table)?.has(id) !== true)
        .slice(0, 10)
        .map((id) => `${table}: there is no row with the id ${id}`),
    )
  }
}
