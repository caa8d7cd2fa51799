import { ChatError } from '../../errors/index.js'
import type { Clock } from '../../kernel/clock.js'

/** A write that would probably wait longer than this is refused. */
const maxWaitMilliseconds = 3000
/** So few writes are accepted at any pace: they may wait for a lock that is released soon. */
const fewWrites = 32
/** By how much of the time the pace is measured, at least and at most. */
const [leastMilliseconds, mostMilliseconds] = [500, 5000]
/** After so long with few pending writes, the pace may be another one. */
const forgottenAfterMilliseconds = 10_000

/** Refused writes try again at this part of the pace: the rest is for those who come for the first time. */
const retryShare = 0.25
const longestRetryMilliseconds = 20_000

export interface Writer {
  readonly organizationId: number
  /** Undefined for writes of the server itself. */
  readonly userId?: number | undefined
}

/**
 * The writes that have begun and not ended. How long another one will wait, be it for the
 * processor, a connection or a lock, follows from their number and from how fast they end.
 */
export class PendingWrites {
  readonly #organizations = new Map<number, Map<number | undefined, number>>()
  #total = 0
  readonly #pace = new Pace()
  /** When the last of those who were refused should try again. */
  #nextTry = 0

  constructor(private readonly clock: Clock) {}

  /** Whether another write may have to wait for long. */
  get areMany(): boolean {
    return this.#total > fewWrites
  }

  async run<Result>(writer: Writer, write: () => Promise<Result>): Promise<Result> {
    this.#count(writer, 1)
    try {
      return await write()
    } finally {
      this.#count(writer, -1)
    }
  }

  /**
   * Checks that another write would not wait too long. The estimate assumes that organizations take
   * turns, and within an organization its users: a user with few pending writes is refused last.
   *
   * @throws {ChatError} `SERVICE_UNAVAILABLE` with `retry-after` if it would probably wait longer
   *   than three seconds.
   */
  requireShortWait(writer: Writer): void {
    if (!this.areMany) return
    const before = this.#countBefore(writer)
    const now = this.#now()
    const millisecondsEach = this.#pace.millisecondsEach(now) ?? 0
    if (before <= fewWrites || before * millisecondsEach <= maxWaitMilliseconds) return
    // One after the other: together they would be refused again, and refusing costs time too.
    const next = Math.max(this.#nextTry, now) + millisecondsEach / retryShare
    this.#nextTry = Math.min(next, now + longestRetryMilliseconds)
    throw new ChatError('SERVICE_UNAVAILABLE', {
      fields: { 'retry-after': Math.ceil((this.#nextTry - now) / 1000) },
    })
  }

  #count({ organizationId, userId }: Writer, change: 1 | -1): void {
    const users = this.#organizations.get(organizationId) ?? new Map<number | undefined, number>()
    const count = (users.get(userId) ?? 0) + change
    if (count > 0) users.set(userId, count)
    else users.delete(userId)
    if (users.size > 0) this.#organizations.set(organizationId, users)
    else this.#organizations.delete(organizationId)
    this.#total += change
    if (change < 0) this.#pace.countEnd(this.#now())
    else if (this.areMany) this.#pace.begin(this.#now())
    else this.#pace.pause()
  }

  #now(): number {
    return this.clock.monotonicMilliseconds?.() ?? this.clock.now()
  }

  /** How many pending writes would run before another one of `writer`, if all took turns. */
  #countBefore({ organizationId, userId }: Writer): number {
    const own = this.#organizations.get(organizationId)
    const ofUser = own?.get(userId) ?? 0
    let inOrganization = 0
    for (const count of own?.values() ?? []) inOrganization += Math.min(count, ofUser + 1)
    let before = inOrganization
    for (const [id, users] of this.#organizations) {
      if (id !== organizationId) before += Math.min(sumOf(users), inOrganization + 1)
    }
    return before
  }
}

function sumOf(counts: ReadonlyMap<unknown, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

/**
 * How fast writes end while more than a few are pending. Those that share a transaction end together,
 * and all of them count, also the last few: so the time ends when another write begins.
 */
class Pace {
  #milliseconds = 0
  #ended = 0
  #isMeasured = false
  #measuredUntil = 0

  begin(now: number): void {
    if (this.#isMeasured) return
    if (now - this.#measuredUntil > forgottenAfterMilliseconds) {
      this.#milliseconds = 0
      this.#ended = 0
    }
    this.#isMeasured = true
    this.#measuredUntil = now
  }

  pause(): void {
    this.#isMeasured = false
  }

  countEnd(now: number): void {
    if (!this.#isMeasured) return
    this.#measure(now)
    this.#ended += 1
  }

  /** The time from one end to the next; undefined if the time is too short to know. */
  millisecondsEach(now: number): number | undefined {
    if (this.#isMeasured) this.#measure(now)
    const least = this.#ended > 0 ? leastMilliseconds : maxWaitMilliseconds
    if (this.#milliseconds < least) return undefined
    return this.#milliseconds / Math.max(this.#ended, 1)
  }

  #measure(now: number): void {
    this.#milliseconds += now - this.#measuredUntil
    this.#measuredUntil = now
    if (this.#milliseconds <= mostMilliseconds) return
    // The older a time is, the less it counts.
    this.#ended *= mostMilliseconds / this.#milliseconds
    this.#milliseconds = mostMilliseconds
  }
}
