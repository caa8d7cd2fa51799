/** A list of users without duplicates, as a set or as {@link SortedUserIds}. */
export interface UserIds extends Iterable<number> {
  readonly size: number
  has(userId: number): boolean
}

/**
 * Takes four bytes a user, where a set takes some thirty: each change of a channel's subscribers
 * makes another list, so a process remembers thousands of them.
 */
export class SortedUserIds implements UserIds {
  readonly #ids: Uint32Array

  /** @param userIds ascending, without duplicates. */
  constructor(userIds: ArrayLike<number>) {
    this.#ids = Uint32Array.from(userIds)
  }

  get size(): number {
    return this.#ids.length
  }

  has(userId: number): boolean {
    let low = 0
    let high = this.#ids.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const id = this.#ids[middle] ?? 0
      if (id === userId) return true
      if (id < userId) low = middle + 1
      else high = middle - 1
    }
    return false
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#ids.values()
  }
}

/** A list that differs little from another one, which is shared by many such lists. */
export class ChangedUserIds implements UserIds {
  readonly size: number

  /**
   * @param added users who are not in `base`.
   * @param removed users who are in `base`.
   */
  constructor(
    readonly baseId: number,
    readonly base: SortedUserIds,
    readonly added: SortedUserIds,
    readonly removed: SortedUserIds,
  ) {
    this.size = base.size + added.size - removed.size
  }

  has(userId: number): boolean {
    return this.added.has(userId) || (this.base.has(userId) && !this.removed.has(userId))
  }

  *[Symbol.iterator](): Iterator<number> {
    for (const userId of this.base) if (!this.removed.has(userId)) yield userId
    yield* this.added
  }
}
