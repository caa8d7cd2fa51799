import type { LogEntry } from '../log/log-entry.js'
import type { LiveQueue } from './live-queue.js'

/** The served queues of one organization. */
interface OrganizationQueues {
  readonly byUser: Map<number, Set<LiveQueue>>
  readonly publicFollowers: Set<LiveQueue>
}

const noQueues: ReadonlySet<LiveQueue> = new Set()

/** The queues that this process serves, indexed by the entries that concern them. */
export class LiveQueues implements Iterable<LiveQueue> {
  readonly #byId = new Map<string, LiveQueue>()
  readonly #byOrganization = new Map<number, OrganizationQueues>()

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
    let queues = this.#byOrganization.get(organizationId)
    if (queues === undefined) {
      queues = { byUser: new Map(), publicFollowers: new Set() }
      this.#byOrganization.set(organizationId, queues)
    }
    const ofUser = queues.byUser.get(userId)
    if (ofUser === undefined) queues.byUser.set(userId, new Set([live]))
    else ofUser.add(live)
    if (allPublicStreams) queues.publicFollowers.add(live)
    return live
  }

  /** @returns the queue that was served under the id. */
  remove(queueId: string): LiveQueue | undefined {
    const live = this.#byId.get(queueId)
    if (live === undefined) return undefined
    const { organizationId, userId } = live.queue
    this.#byId.delete(queueId)
    const queues = this.#byOrganization.get(organizationId)
    const ofUser = queues?.byUser.get(userId)
    queues?.publicFollowers.delete(live)
    ofUser?.delete(live)
    if (ofUser?.size === 0) queues?.byUser.delete(userId)
    if (queues?.byUser.size === 0) this.#byOrganization.delete(organizationId)
    return live
  }

  clear(): void {
    this.#byId.clear()
    this.#byOrganization.clear()
  }

  ofUser(organizationId: number, userId: number): ReadonlySet<LiveQueue> {
    return this.#byOrganization.get(organizationId)?.byUser.get(userId) ?? noQueues
  }

  /**
   * Calls `visit` with the queues whose owners receive an entry, and those that follow all public
   * channels. Not a generator: that takes longer than delivering the entry.
   */
  visitConcerned(organizationId: number, entry: LogEntry, visit: (live: LiveQueue) => void): void {
    const queues = this.#byOrganization.get(organizationId)
    if (queues === undefined) return
    const { byUser, publicFollowers } = queues
    if (entry.recipientCount < byUser.size) {
      for (const userId of entry.recipients()) {
        for (const live of byUser.get(userId) ?? noQueues) visit(live)
      }
    } else {
      for (const [userId, ofUser] of byUser) {
        if (entry.isFor(userId)) for (const live of ofUser) visit(live)
      }
    }
    if (!entry.hasFollowers) return
    for (const live of publicFollowers) if (entry.isForFollower(live.queue.userId)) visit(live)
  }
}
