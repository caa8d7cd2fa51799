import { isSystemBotId } from '../../../domain/users/system-bots.js'

const firstCapacity = 1024

/** Ids in ascending order, four bytes each: there may be millions of them. */
export class IdList {
  #ids = new Uint32Array(firstCapacity)
  #length = 0

  get last(): number {
    return this.#ids[this.#length - 1] ?? 0
  }

  /** @throws {RangeError} unless the id is higher than all others. */
  add(id: number): void {
    if (id <= this.last) throw new RangeError(`${id} is not higher than ${this.last}`)
    if (this.#length === this.#ids.length) {
      const longer = new Uint32Array(this.#length * 2)
      longer.set(this.#ids)
      this.#ids = longer
    }
    this.#ids[this.#length] = id
    this.#length += 1
  }

  has(id: number): boolean {
    let [start, end] = [0, this.#length]
    while (start < end) {
      const middle = (start + end) >>> 1
      const found = this.#ids[middle] ?? 0
      if (found === id) return true
      if (found < id) start = middle + 1
      else end = middle
    }
    return false
  }
}

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
