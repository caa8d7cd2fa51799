import { ChatError } from '../../errors/index.js'
import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import type { EventBus } from '../bus/bus.js'
import type { EventCatalogue } from '../event-catalogue.js'
import type { EventLog } from './event-log.js'
import type { LogEntry, LogRecord } from './log-entry.js'
import type { CacheReads, UncommittedChanges } from './kept-values.js'
import { LogObservers } from './log-observers.js'
import { LogPolling } from './log-polling.js'
import { OrganizationTail } from './organization-tail.js'
import { TailMemory } from './tail-memory.js'
import { textsErased, textsWithdrawn } from './text-changes.js'

const tailIdleMilliseconds = 15 * 60_000

export interface FollowedLogsOptions {
  /** Interval of polling for other processes' commits, in milliseconds; 0 means never. */
  readonly logPollMilliseconds: number
  /** Memory limit for the tails of all organizations, in bytes. @default 64 MiB */
  readonly maxTailBytes?: number
}

/** Uses the entries of the followed logs. */
export interface LogListener {
  /** Called for each entry, in order, when it is in its tail. */
  onEntry(organizationId: number, entry: LogEntry): void
  /** Called when the log is no longer followed, because it was deleted or not used. */
  onEnd(organizationId: number, reason: 'deleted' | 'closing'): void
  /** Called when all followed logs were read. */
  onRead(): void
}

/**
 * The logs that this process follows: those of organizations with clients or cached values.
 *
 * Keeps the tail of each log, adds the commits of this process and, by polling, those of other
 * processes, and reports them to the caches that observe the logs.
 */
export class FollowedLogs extends LogObservers {
  readonly #tails = new Map<number, OrganizationTail>()
  readonly #tailMemory: TailMemory
  readonly #opening = new Map<number, Promise<OrganizationTail>>()
  readonly #cacheReads = new Map<string, CacheReads>()
  readonly #polling: LogPolling

  constructor(
    private readonly log: EventLog,
    private readonly catalogue: EventCatalogue,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly bus: EventBus,
    options: FollowedLogsOptions,
    private readonly listener: LogListener,
  ) {
    super()
    this.#tailMemory = new TailMemory(options.maxTailBytes)
    const { logPollMilliseconds } = options
    const read = (): Promise<void> => this.#readHeads().then(() => listener.onRead())
    this.#polling = new LogPolling({ logPollMilliseconds, read, bus, clock, logger })
  }

  get uncommitted(): UncommittedChanges {
    return this.log.uncommitted
  }

  /** Counts the reads of a kind of cache, for the metrics. */
  readsOf(cache: string): CacheReads {
    let reads = this.#cacheReads.get(cache)
    if (reads === undefined) {
      reads = { hits: 0, misses: 0 }
      this.#cacheReads.set(cache, reads)
    }
    return reads
  }

  /** The reads of all caches, by the names of these. */
  get cacheReads(): ReadonlyMap<string, CacheReads> {
    return this.#cacheReads
  }

  /** Number of entries that are known to be committed, and are not delivered here yet. */
  get lag(): number {
    let lag = 0
    for (const { knownSeq, headSeq } of this.#tails.values()) {
      if (headSeq >= 0) lag += knownSeq - headSeq
    }
    return lag
  }

  /** Ensures that other processes' commits in this organization are reported from now on. */
  async watch(organizationId: number): Promise<void> {
    await this.open(organizationId)
  }

  /**
   * Processes an organization's log up to a committed entry, so that caches are invalidated.
   * Nothing is cached for an organization whose log is not followed.
   */
  async catchUp(organizationId: number, seq: number): Promise<void> {
    const tail = this.#tails.get(organizationId)
    if (tail === undefined || tail.headSeq >= seq) return
    tail.raiseHead(seq)
    await tail.catchUp()
  }

  /** The newest entry that this process can deliver, reading the log if `atLeast` is beyond it. */
  async headSeq(organizationId: number, atLeast: number): Promise<number> {
    const tail = await this.open(organizationId)
    if (atLeast > tail.headSeq) {
      const heads = await this.log.headSeqs([organizationId])
      tail.raiseHead(heads.get(organizationId) ?? 0)
      await tail.catchUp()
    }
    return tail.headSeq
  }

  /** Drops everything about an organization that this process has deleted. */
  end(organizationId: number): void {
    this.#dropTail(organizationId, 'deleted')
  }

  /** Starts to poll for other processes' commits. */
  start(): void {
    this.#polling.start()
  }

  /**
   * Applies the commits before this call of other processes, and of the application's own
   * transactions, unless it is current in any case: this process was paused, or cannot reach the
   * database. To be called before cached values are used
   * that decide what a client may do, and before texts are sent.
   *
   * @returns undefined if there is nothing to do.
   * @throws the errors of reading, such as that the database is away.
   */
  becomeCurrent(organizationId: number): undefined | Promise<void> {
    const settling = this.uncommitted.settle(organizationId)
    return settling === undefined
      ? this.#applyOthers(organizationId)
      : settling.then(() => this.#applyOthers(organizationId))
  }

  #applyOthers(organizationId: number): undefined | Promise<void> {
    const tail = this.#tails.get(organizationId)
    // Nothing is cached for an organization whose log is not followed.
    if (tail === undefined || (this.#polling.isCurrent && !tail.hasFailed)) return undefined
    return this.#polling.becomeCurrent().then(() => {
      if (tail.hasFailed) throw new ChatError('SERVICE_UNAVAILABLE')
    })
  }

  /** Stops following all logs. */
  close(): void {
    this.#polling.close()
    for (const [organizationId, tail] of this.#tails) {
      tail.close()
      this.bus.unfollow?.(organizationId)
    }
    this.#tails.clear()
  }

  /** The tail of a log, if it is followed; its head may not be read yet. */
  find(organizationId: number): OrganizationTail | undefined {
    return this.#tails.get(organizationId)
  }

  /** The tail of a log, which is followed from now on. */
  async open(organizationId: number): Promise<OrganizationTail> {
    const known = this.#tails.get(organizationId)
    if (known !== undefined && known.headSeq >= 0) {
      known.usedAtMilliseconds = this.clock.now()
      return known
    }
    let opening = this.#opening.get(organizationId)
    if (opening === undefined) {
      opening = this.#openTail(organizationId).finally(() => this.#opening.delete(organizationId))
      this.#opening.set(organizationId, opening)
    }
    return opening
  }

  /** Takes committed records, in any order. */
  admit(organizationId: number, records: readonly LogRecord[]): void {
    // Observers are called at once, so that caches are invalidated before the response to the write.
    for (const record of records) this.report(organizationId, record, record.recipients.userIds)
    this.#tails.get(organizationId)?.admit(records)
  }

  async #openTail(organizationId: number): Promise<OrganizationTail> {
    const tail = new OrganizationTail(
      organizationId,
      this.log,
      (entry, isNew) => {
        this.#changeTexts(tail, entry)
        if (isNew) this.report(organizationId, entry, entry.namedUserIds)
        this.listener.onEntry(organizationId, entry)
      },
      (error) => this.logger.warn('Reading the event log failed', { organizationId, err: error }),
      () => this.reportEnd(organizationId),
      this.#tailMemory,
    )
    tail.usedAtMilliseconds = this.clock.now()
    // Registered before its head is read, so that no commit in between is missed.
    this.#tails.set(organizationId, tail)
    this.bus.follow?.(organizationId)
    try {
      await tail.open()
    } catch (error) {
      tail.close()
      this.#tails.delete(organizationId)
      this.bus.unfollow?.(organizationId)
      throw error
    }
    return tail
  }

  /** Removes texts that were removed from the log, for all users or for some. */
  #changeTexts(tail: OrganizationTail, entry: LogEntry): void {
    if (textsErased.describes(entry)) {
      for (const changed of tail.among(entry.data.seqs)) {
        changed.erase(this.catalogue.withoutText(changed.kind, changed.data))
      }
    }
    if (textsWithdrawn.describes(entry)) {
      const { seqs, endsFollowing } = entry.data
      for (const changed of tail.among(seqs)) changed.withdrawFrom(entry, endsFollowing)
    }
  }

  async #readHeads(): Promise<void> {
    this.#dropUnusedTails()
    if (this.#tails.size === 0) return
    const known = [...this.#tails].map(([id, { headSeq }]) => [id, headSeq] as const)
    const heads = await this.log.headSeqs(known.map(([id]) => id))
    for (const [organizationId, knownSeq] of known) {
      const head = heads.get(organizationId)
      // A log only grows: this organization was deleted, and its id may be reused.
      if (head === undefined || head < knownSeq) this.#dropTail(organizationId, 'deleted')
      else this.#tails.get(organizationId)?.raiseHead(head)
    }
    for (const tail of this.#tails.values()) await tail.catchUp()
  }

  /** Stops following the logs that no client has used for a while. */
  #dropUnusedTails(): void {
    const idleBefore = this.clock.now() - tailIdleMilliseconds
    for (const [organizationId, tail] of this.#tails) {
      if (tail.usedAtMilliseconds < idleBefore) this.#dropTail(organizationId, 'closing')
    }
  }

  #dropTail(organizationId: number, reason: 'deleted' | 'closing'): void {
    this.#tails.get(organizationId)?.close()
    if (this.#tails.delete(organizationId)) this.bus.unfollow?.(organizationId)
    this.listener.onEnd(organizationId, reason)
    this.reportEnd(organizationId)
  }
}
