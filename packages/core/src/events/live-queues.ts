import type { LiveQueue } from './live-queue.js'
import type { LogEntry } from './log-entry.js'

/** The queues that this process serves, indexed by the entries that concern them. */
export class LiveQueues implements Iterable<LiveQueue> {
  readonly #byId = new Map<string, LiveQueue>()
  readonly #byUser = new Map<string, Set<LiveQueue>>()
  readonly #publicFollowers = new Map<number, Set<LiveQueue>>()

  get size(): number {
    return this.#byId.size
  }

  [Symbol.iterator](): Iterator<LiveQueue> {
    return this.#byId.values()
  }

  find(queueId: string): LiveQueue | undefined {
    return this.#byId.get(queueId)
  }

  /** @returns the queue that is served under the id: the existing one, if any. */
  add(live: LiveQueue): LiveQueue {
    const { id, organizationId, userId, allPublicStreams } = live.queue
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    this.#byId.set(id, live)
    addTo(this.#byUser, userKey(organizationId, userId), live)
    if (allPublicStreams) addTo(this.#publicFollowers, organizationId, live)
    return live
  }

  /** @returns the queue that was served under the id. */
  remove(queueId: string): LiveQueue | undefined {
    const live = this.#byId.get(queueId)
    if (live === undefined) return undefined
    const { organizationId, userId } = live.queue
    this.#byId.delete(queueId)
    removeFrom(this.#byUser, userKey(organizationId, userId), live)
    removeFrom(this.#publicFollowers, organizationId, live)
    return live
  }

  clear(): void {
    this.#byId.clear()
    this.#byUser.clear()
    this.#publicFollowers.clear()
  }

  ofUser(organizationId: number, userId: number): Iterable<LiveQueue> {
    return this.#byUser.get(userKey(organizationId, userId)) ?? []
  }

  /** The queues whose owners receive an entry, and those that follow all public channels. */
  *concernedBy(organizationId: number, entry: LogEntry): Iterable<LiveQueue> {
    if (entry.recipientCount < this.#byUser.size) {
      for (const userId of entry.recipients()) yield* this.ofUser(organizationId, userId)
    } else {
      for (const queues of this.#byUser.values()) {
        for (const live of queues) {
          if (live.queue.organizationId !== organizationId) break
          if (entry.isFor(live.queue.userId)) yield live
        }
      }
    }
    if (!entry.hasFollowers) return
    for (const live of this.#publicFollowers.get(organizationId) ?? []) {
      if (entry.isForFollower(live.queue.userId)) yield live
    }
  }
}

function userKey(organizationId: number, userId: number): string {
  return `${organizationId}/${userId}`
}

function addTo<Key>(map: Map<Key, Set<LiveQueue>>, key: Key, live: LiveQueue): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([live]))
  else set.add(live)
}

function removeFrom<Key>(map: Map<Key, Set<LiveQueue>>, key: Key, live: LiveQueue): void {
  const set = map.get(key)
  if (set?.delete(live) === true && set.size === 0) map.delete(key)
}
