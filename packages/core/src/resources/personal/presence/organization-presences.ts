import { latestPresence, type PresenceTimes } from './presence.js'
import type { PresentUser, UserPresenceRow } from './presence-repository.js'

/** A user's presence in the memory of this process; never changed, only replaced. */
export interface KnownPresence extends PresenceTimes {
  readonly user: PresentUser
  /** Undefined until an id is reserved for it; it is then news to every client. */
  readonly updateId: number | undefined
}

/** The presences that one transaction stores, and the facts about it that are needed afterwards. */
export interface PresenceExchange {
  /** The changes to store, as they were when the transaction began, and with their final ids. */
  readonly stored: readonly { readonly change: KnownPresence; readonly row: StoredPresence }[]
  /** Changes of users who have no presence any more. */
  readonly dropped: readonly KnownPresence[]
  /** Rows that other processes have stored. */
  readonly others: readonly UserPresenceRow[]
  /** Whether no other process was given ids since this one was. */
  readonly isLatest: boolean
  /** The first id that is free after this exchange. */
  readonly nextId: number
  /** The highest id that is reserved for this process. */
  readonly reservedTo: number
}

export type StoredPresence = KnownPresence & { readonly updateId: number }

/** Number of ids that a process reserves at least. */
const minReserved = 250

/**
 * The presences of one organization: those that are stored, and the changes of this process that
 * are not stored yet.
 *
 * A change gets an id from those that this process has reserved. If another process was given ids
 * meanwhile, the change gets a new one when it is stored, so ids are in the order of the commits.
 */
export class OrganizationPresences {
  readonly #byUser = new Map<number, KnownPresence>()
  /** By update id, then those without; some were replaced since. */
  #byUpdate: KnownPresence[] = []
  /** The changes that are not stored yet, in the order of their ids. */
  readonly #changes = new Map<number, KnownPresence>()
  #nextId = 0
  #reservedTo = -1
  /** The newest update that was read from the database, or stored by this process. */
  newestStored = 0

  get size(): number {
    return this.#byUser.size
  }

  get hasChanges(): boolean {
    return this.#changes.size > 0
  }

  /** Whether ids were reserved, which may be used up. */
  get hasReserved(): boolean {
    return this.#reservedTo >= 0
  }

  find(userId: number): KnownPresence | undefined {
    return this.#byUser.get(userId)
  }

  /** A change that is not stored yet. */
  findChange(userId: number): KnownPresence | undefined {
    return this.#changes.get(userId)
  }

  /** The presences after an update that a client has; all without one, the newest first. */
  after(updateId: number | undefined): KnownPresence[] {
    // Ids begin with 1.
    if (updateId === undefined || updateId <= 0) return [...this.#byUser.values()]
    const found: KnownPresence[] = []
    for (let index = this.#byUpdate.length - 1; index >= 0; index -= 1) {
      const presence = this.#byUpdate[index]
      if (presence === undefined || (presence.updateId ?? Infinity) <= updateId) break
      if (this.#isCurrent(presence)) found.push(presence)
    }
    // The client's id is from another process: it says nothing about unstored changes.
    if (updateId > this.#reservedTo) {
      for (const change of this.#changes.values()) {
        if ((change.updateId ?? Infinity) <= updateId) found.push(change)
      }
    }
    return found
  }

  /** Notes the report of a client. @returns whether an id was left for it. */
  report(user: PresentUser, times: PresenceTimes): boolean {
    const { activeAt, connectedAt } = times
    const change = { activeAt, connectedAt, user, updateId: this.#takeId() }
    this.#change(change)
    return change.updateId !== undefined
  }

  /** Forgets the change of a user that is not stored yet. */
  dropChange(userId: number): void {
    this.#changes.delete(userId)
  }

  remove(userId: number): void {
    this.#changes.delete(userId)
    this.#byUser.delete(userId)
  }

  /** Takes over rows of the database, which may be older than the known presences. */
  adopt(rows: readonly UserPresenceRow[]): void {
    for (const row of rows) this.#adopt(row)
  }

  /** Takes over all rows of the database. @returns the users whose presences are not among them. */
  adoptAll(rows: readonly UserPresenceRow[]): number[] {
    this.adopt(rows)
    const stored = new Set(rows.map(({ id }) => id))
    return [...this.#byUser.keys()].filter((id) => !stored.has(id))
  }

  /** Determines the presences to store, in a transaction in which the counter has this value. */
  exchange(
    counter: number,
    others: readonly UserPresenceRow[],
    isReporting: (userId: number) => boolean,
    changes: readonly KnownPresence[],
  ): PresenceExchange {
    const isLatest = this.isLatest(counter)
    const byUser = new Map(others.map((row) => [row.id, timesOf(row)]))
    let nextId = counter + 1
    const stored = changes
      .filter(({ user }) => isReporting(user.id))
      .map((change) => {
        const other = byUser.get(change.user.id)
        const times = other === undefined ? change : latestPresence(change, other)
        const updateId = isLatest ? (change.updateId ?? nextId++) : nextId++
        return { change, row: { ...change, ...times, updateId } }
      })
    const headroom = Math.max(minReserved, 4 * changes.length)
    const isEnough = isLatest && nextId === counter + 1 && this.#left > headroom / 2
    return {
      stored,
      dropped: changes.filter(({ user }) => !isReporting(user.id)),
      others,
      isLatest,
      nextId,
      reservedTo: isEnough ? counter : nextId - 1 + headroom,
    }
  }

  /** The changes to store now. */
  changes(): KnownPresence[] {
    return [...this.#changes.values()]
  }

  /** Whether no other process was given ids since this one was. */
  isLatest(counter: number): boolean {
    return this.#reservedTo === counter
  }

  /** Takes over an exchange that was committed. @returns the users whose rows must be read again. */
  commit({ stored, dropped, others, isLatest, nextId, reservedTo }: PresenceExchange): number[] {
    if (!isLatest || this.#left === 0) this.#nextId = nextId
    this.#reservedTo = reservedTo
    for (const { change, row } of stored) {
      this.newestStored = Math.max(this.newestStored, row.updateId)
      if (this.#changes.get(row.user.id) !== change) continue
      this.#changes.delete(row.user.id)
      this.#put(row)
    }
    this.adopt(others)
    for (const change of this.changes()) {
      // Reported during the transaction, with an id that is lower than those that it has stored.
      if (!isLatest || change.updateId === undefined) {
        this.#change({ ...change, updateId: this.#takeId() })
      }
    }
    const outdated = dropped.filter((change) => this.#changes.get(change.user.id) === change)
    for (const { user } of outdated) this.remove(user.id)
    return outdated.map(({ user }) => user.id)
  }

  #adopt(row: UserPresenceRow): void {
    const { id, email, email_address_visibility, joined_at_milliseconds, update_id } = row
    const user = { id, email, email_address_visibility, joined_at_milliseconds }
    const change = this.#changes.get(id)
    const stored = update_id === null ? undefined : { ...timesOf(row), user, updateId: update_id }
    if (stored !== undefined && update_id !== null) {
      this.newestStored = Math.max(this.newestStored, update_id)
      // Another process was given ids: those that are left would be lower than this one.
      if (this.#left > 0 && update_id >= this.#nextId) this.#nextId = this.#reservedTo + 1
    }
    if (change !== undefined) {
      const times = stored === undefined ? change : latestPresence(change, stored)
      const merged = { ...change, ...times, user }
      this.#changes.set(id, merged)
      this.#put(merged)
      return
    }
    const known = this.#byUser.get(id)
    if (stored === undefined) this.remove(id)
    else if (known === undefined || (known.updateId ?? 0) <= stored.updateId) this.#put(stored)
    else this.#put({ ...known, user })
  }

  get #left(): number {
    return this.#reservedTo - this.#nextId + 1
  }

  #takeId(): number | undefined {
    return this.#left > 0 ? this.#nextId++ : undefined
  }

  #change(change: KnownPresence): void {
    // At the end, because it has the highest id.
    this.#changes.delete(change.user.id)
    this.#changes.set(change.user.id, change)
    this.#put(change)
  }

  #isCurrent(presence: KnownPresence): boolean {
    return this.#byUser.get(presence.user.id) === presence
  }

  #put(presence: KnownPresence): void {
    this.#byUser.set(presence.user.id, presence)
    this.#byUpdate.splice(this.#placeOf(presence.updateId ?? Infinity), 0, presence)
    if (this.#byUpdate.length < 2 * this.#byUser.size + 64) return
    this.#byUpdate = this.#byUpdate.filter((one) => this.#isCurrent(one))
  }

  /** The index behind all presences with lower or equal ids: usually the end. */
  #placeOf(updateId: number): number {
    let from = 0
    let to = this.#byUpdate.length
    if ((this.#byUpdate.at(-1)?.updateId ?? Infinity) <= updateId) return to
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#byUpdate[middle]?.updateId ?? Infinity) <= updateId) from = middle + 1
      else to = middle
    }
    return from
  }
}

function timesOf(row: UserPresenceRow): PresenceTimes {
  return { activeAt: row.active_at_seconds, connectedAt: row.connected_at_seconds ?? 0 }
}
