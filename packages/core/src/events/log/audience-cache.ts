import { LRUCache } from 'lru-cache'

import { ChangedUserIds, type SortedUserIds } from '../user-ids.js'

const mebibyte = 1024 * 1024

/** Memory limit for the interned audiences that a server caches, in bytes. */
export const maxAudienceBytes = 16 * mebibyte

/** Size of a list without its users: its objects, its buffers, and its place in the cache. */
const listBytes = 500
/** Size of a user in a `SortedUserIds`. */
const idBytes = 4

/** A list of recipients as it is stored: whole, or as its difference from another one. */
export type StoredUserIds = SortedUserIds | ChangedUserIds

/** A whole list, and the lists that differ from it. */
interface ListGroup {
  readonly whole: SortedUserIds
  readonly changed: Map<number, ChangedUserIds>
  readonly bytes: number
}

/**
 * A cache of interned audiences, by their ids. Beyond {@link maxAudienceBytes} it drops the least
 * recently used: a whole list together with those that refer to it, because these keep it in memory.
 * Limited by bytes, because most lists are short, and take more than their users do.
 */
export class AudienceCache {
  readonly #groups: LRUCache<number, ListGroup>
  /** The ids of the whole lists from which lists differ. */
  readonly #baseIds = new Map<number, number>()

  constructor() {
    this.#groups = new LRUCache({
      maxSize: maxAudienceBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ changed }) => {
        for (const id of changed.keys()) this.#baseIds.delete(id)
      },
      noDisposeOnSet: true,
    })
  }

  /** The number of lists. */
  get size(): number {
    return this.#groups.size + this.#baseIds.size
  }

  get(audienceId: number): StoredUserIds | undefined {
    const baseId = this.#baseIds.get(audienceId)
    if (baseId === undefined) return this.#groups.get(audienceId)?.whole
    return this.#groups.get(baseId)?.changed.get(audienceId)
  }

  set(audienceId: number, list: StoredUserIds): void {
    if (this.get(audienceId) !== undefined) return
    if (!(list instanceof ChangedUserIds)) {
      this.#groups.set(audienceId, groupOf(list))
      return
    }
    const { base, baseId } = list
    const { whole, changed, bytes } = this.#groups.get(baseId) ?? groupOf(base)
    // The list would keep another copy of its base in memory, which is not counted.
    if (whole !== base) return
    changed.set(audienceId, list)
    const added = bytesOf(list.added.size + list.removed.size)
    // Another object, because the cache takes the size only of new ones.
    this.#groups.set(baseId, { whole, changed, bytes: bytes + added })
    if (this.#groups.has(baseId)) this.#baseIds.set(audienceId, baseId)
  }
}

function groupOf(whole: SortedUserIds): ListGroup {
  return { whole, changed: new Map(), bytes: bytesOf(whole.size) }
}

function bytesOf(users: number): number {
  return listBytes + idBytes * users
}
