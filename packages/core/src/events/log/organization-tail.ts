import type { UserIds } from '../user-ids.js'
import type { EventLog } from './event-log.js'
import { LogEntry, type EntryLists, type LogRecord } from './log-entry.js'
import type { EntryHolder, TailMemory } from './tail-memory.js'

/** A record that is not in its place yet. */
interface EarlyRecord {
  readonly record: LogRecord
  /** Whether it was admitted from outside, and not only read from the log. */
  readonly isKnown: boolean
}

const maxEntries = 4096
const minEntries = 256
/** A tail of larger entries keeps fewer. */
const minBytes = 512 * 1024
const fillPageSize = 500
const noUsers: UserIds = new Set()

/**
 * The newest entries of one organization's log, in order and without gaps, in the memory of this
 * process: 4,096 at most, and fewer, but not below 256 or 512 KiB, if {@link TailMemory} drops some.
 * Older entries are read from the database.
 */
export class OrganizationTail implements EntryHolder {
  /** The newest entry that was admitted. */
  headSeq = -1
  /** The entry after which all entries were reported, or will be. */
  openedSeq = Infinity
  /** When a client last needed this tail, in clock milliseconds. */
  usedAtMilliseconds = 0
  /** Whether entries that are known to be committed could not be read. */
  hasFailed = false

  #entries: LogEntry[] = []
  #heldBytes = 0
  #isClosed = false
  readonly #early = new Map<number, EarlyRecord>()
  #working: Promise<void> | undefined
  #knownSeq = -1

  constructor(
    private readonly organizationId: number,
    private readonly log: EventLog,
    /** `isNew` unless the record was given to {@link admit} before. */
    private readonly onEntry: (entry: LogEntry, isNew: boolean) => void,
    private readonly onError: (error: unknown) => void,
    /** Called when entries were deleted before this process could read them. */
    private readonly onGap: () => void,
    private readonly memory: TailMemory,
  ) {
    memory.add(this)
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  get canDrop(): boolean {
    return this.#entries.length > this.#minEntries
  }

  dropOldest(): void {
    const { length } = this.#entries
    // A quarter at once, so that the amortized cost of an append stays constant.
    this.#drop(Math.min(Math.ceil(length / 4), length - this.#minEntries))
  }

  get #minEntries(): number {
    return this.heldBytes > minBytes ? 1 : minEntries
  }

  /** Drops all entries; remaining readers continue from the database. */
  close(): void {
    this.#isClosed = true
    this.memory.remove(this)
    this.#drop(this.#entries.length)
  }

  /** The newest entry that is known to be committed, whether it was admitted yet or not. */
  get knownSeq(): number {
    return Math.max(this.#knownSeq, this.headSeq)
  }

  /** Starts at the current head of the log. */
  async open(): Promise<void> {
    const heads = await this.log.headSeqs([this.organizationId])
    const head = heads.get(this.organizationId) ?? 0
    this.headSeq = this.openedSeq = head
    this.#knownSeq = Math.max(this.#knownSeq, head)
    for (const seq of this.#early.keys()) if (seq <= head) this.#early.delete(seq)
    this.#work()
  }

  /** Takes records in any order; gaps are filled from the database. */
  admit(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.seq <= this.headSeq) continue
      this.#early.set(record.seq, { record, isKnown: true })
      if (record.seq > this.#knownSeq) this.#knownSeq = record.seq
    }
    this.#work()
  }

  /** Records that the log has grown up to `seq`. */
  raiseHead(seq: number): void {
    if (seq > this.#knownSeq) this.#knownSeq = seq
    this.#work()
  }

  /**
   * Reads the entries that are known to be committed and not admitted yet; undefined if there are none.
   */
  catchUp(): Promise<void> | undefined {
    // A read that failed is retried by the next caller.
    this.#work()
    return this.#working
  }

  /** Whether all entries after `seq` are in memory. */
  reachesBackTo(seq: number): boolean {
    const first = this.#entries[0]
    return seq >= (first === undefined ? this.headSeq : first.seq - 1)
  }

  /** The entries after `seq`, oldest first; call only if {@link reachesBackTo} it. */
  after(seq: number): readonly LogEntry[] {
    const first = this.#entries[0]
    // A copy: rendering during an iteration may make the tail drop entries.
    return first === undefined ? [] : this.#entries.slice(Math.max(0, seq + 1 - first.seq))
  }

  /** The newest entry, if it is the only one after `seq`. */
  onlyAfter(seq: number): LogEntry | undefined {
    return seq + 1 === this.headSeq ? this.#entries.at(-1) : undefined
  }

  /** Those of the entries that are in memory. */
  *among(seqs: readonly number[]): Iterable<LogEntry> {
    const first = this.#entries[0]?.seq
    if (first === undefined) return
    for (const seq of seqs) {
      const entry = this.#entries[seq - first]
      if (entry !== undefined) yield entry
    }
  }

  /** Resolves the recipients of a record; the result is not kept. */
  async entryOf(record: LogRecord): Promise<LogEntry> {
    return new LogEntry(record, {
      audience: await this.#audience(record.audienceId),
      followers: await this.#audience(record.followerAudienceId),
      withdrawn: await this.#audience(record.withdrawnAudienceId),
    })
  }

  #work(): void {
    if (this.headSeq < 0 || this.#working !== undefined) return
    this.#admitReady()
    if (this.#knownSeq <= this.headSeq) {
      // The bus may have brought what could not be read.
      this.hasFailed = false
      return
    }
    this.#working = this.#catchUp()
      .then(() => {
        this.hasFailed = false
      })
      .catch((error: unknown) => {
        this.hasFailed = true
        this.onError(error)
      })
      .finally(() => {
        this.#working = undefined
      })
  }

  /** Admits entries that need no read. */
  #admitReady(): void {
    for (;;) {
      const early = this.#early.get(this.headSeq + 1)
      if (early === undefined) return
      const lists = this.#knownLists(early.record)
      if (lists === undefined) return
      this.#append(new LogEntry(early.record, lists))
    }
  }

  /** The lists of a record, or undefined if one of them must be read first. */
  #knownLists(record: LogRecord): EntryLists | undefined {
    const audience = this.#knownAudience(record.audienceId)
    const followers = this.#knownAudience(record.followerAudienceId)
    const withdrawn = this.#knownAudience(record.withdrawnAudienceId)
    if (audience === undefined || followers === undefined || withdrawn === undefined) {
      return undefined
    }
    return { audience, followers, withdrawn }
  }

  #knownAudience(audienceId: number | null | undefined): UserIds | undefined {
    return audienceId === null || audienceId === undefined
      ? noUsers
      : this.log.knownAudience(audienceId)
  }

  async #catchUp(): Promise<void> {
    while (this.#knownSeq > this.headSeq) {
      const next = this.#early.get(this.headSeq + 1)
      if (next === undefined) {
        const records = await this.log.read(this.organizationId, this.headSeq, fillPageSize)
        const first = records[0]
        // A head that was announced but cannot be read is not waited for.
        if (first === undefined) {
          this.#knownSeq = this.headSeq
          return
        }
        // This process was so far behind that old entries were deleted before it could read them.
        if (first.seq !== this.headSeq + 1) this.#startAgainBefore(first.seq)
        for (const record of records) {
          const isKnown = this.#early.get(record.seq)?.isKnown === true
          this.#early.set(record.seq, { record, isKnown })
        }
      } else {
        this.#append(await this.entryOf(next.record))
      }
      this.#admitReady()
    }
  }

  #startAgainBefore(seq: number): void {
    this.#drop(this.#entries.length)
    this.headSeq = seq - 1
    // Those that are known were reported before.
    this.openedSeq = Math.max(this.headSeq, this.#knownSeq)
    this.onGap()
    for (const early of this.#early.keys()) if (early < seq) this.#early.delete(early)
  }

  #append(entry: LogEntry): void {
    const isNew = this.#early.get(entry.seq)?.isKnown !== true
    this.#early.delete(entry.seq)
    this.headSeq = entry.seq
    if (!this.#isClosed) this.#hold(entry)
    this.onEntry(entry, isNew)
  }

  #hold(entry: LogEntry): void {
    this.#entries.push(entry)
    if (this.#entries.length > maxEntries) this.dropOldest()
    entry.count(this.#grow)
  }

  /** One function for all entries, of which there are thousands. */
  readonly #grow = (bytes: number): void => {
    this.#heldBytes += bytes
    this.memory.grow(bytes)
  }

  #drop(count: number): void {
    let bytes = 0
    for (const entry of this.#entries.slice(0, count)) {
      bytes += entry.heldBytes
      entry.uncount()
    }
    this.#heldBytes -= bytes
    this.memory.shrink(bytes)
    this.#entries = this.#entries.slice(count)
  }

  async #audience(audienceId: number | null | undefined): Promise<UserIds> {
    if (audienceId === null || audienceId === undefined) return noUsers
    return this.log.audience(this.organizationId, audienceId)
  }
}
