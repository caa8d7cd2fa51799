import type { RecipientFields, RecipientGroup } from '../event.js'
import { Acceptances, type Acceptance } from '../queues/acceptances.js'
import type { EventQueueOptions } from '../queues/event-queue.js'
import type { SharedEvents } from '../queues/shared-events.js'
import type { UserIds } from '../user-ids.js'
import { bytesOf } from './tail-memory.js'
import { textRemoved } from './text-changes.js'

/** A committed event: one row of the organization's log. */
export interface LogRecord {
  readonly organizationId: number
  /** Consecutive per organization, in the order of the commits, from 1. */
  readonly seq: number
  readonly kind: string
  readonly audienceId: number | null
  /** The interned list of recipients by subscription to all public channels. */
  readonly followerAudienceId?: number | null
  /** The interned list of users from whom the entry was withdrawn. */
  readonly withdrawnAudienceId?: number | null
  /** The message whose text is in `data`. */
  readonly messageId?: number | null
  /** When its transaction was about to commit, in milliseconds; unknown if it was read. */
  readonly committedAtMilliseconds?: number
  readonly recipients: LogRecipients
  readonly groups: readonly RecipientGroup[]
  readonly data: unknown
}

/** The recipients of a record in addition to those of its interned audience. */
export interface LogRecipients {
  readonly userIds?: readonly number[]
  readonly exceptUserIds?: readonly number[]
}

/** The resolved interned lists of a record. */
export interface EntryLists {
  readonly audience?: UserIds | undefined
  readonly followers?: UserIds | undefined
  readonly withdrawn?: UserIds | undefined
}

/** Size of an empty entry. */
const entryBytes = 500
/** Size of a user's id in a list, in a set, or among the fields of groups. */
const idBytes = 64

const noUsers: UserIds = new Set()

/**
 * A record as a process keeps it while clients may still request it: recipients resolved, and the
 * JSON of every variant rendered at most once.
 */
export class LogEntry {
  readonly seq: number
  readonly committedAtMilliseconds: number | undefined
  /** The fields of recipients without individual fields, once they are computed. */
  commonFields: RecipientFields | undefined

  /** JSON texts without closing brace, by variant. */
  readonly #renderings = new Map<string, readonly string[]>()
  /**
   * By variant and recipients' fields. Queues that get the entry get it in the same few ticks of the
   * event loop, so this is emptied after each tick; it would double the memory of the entry.
   */
  readonly #events = new Map<string, Map<RecipientFields, SharedEvents>>()
  /** Emptied likewise. */
  #acceptances: Acceptances | undefined
  #onGrowth: ((bytes: number) => void) | undefined
  #heldBytes = 0
  #kind: string
  #data: unknown
  #audience: UserIds
  #followers: UserIds
  #added: UserIds
  readonly #excepted: UserIds
  /** Users from whom the entry was withdrawn. */
  #withdrawn: UserIds
  #groups: readonly RecipientGroup[]
  #fields: Map<number, RecipientFields> | undefined

  constructor(record: LogRecord, lists: EntryLists = {}) {
    this.seq = record.seq
    this.committedAtMilliseconds = record.committedAtMilliseconds
    this.#kind = record.kind
    this.#data = record.data
    this.#audience = lists.audience ?? noUsers
    this.#followers = lists.followers ?? noUsers
    this.#withdrawn = lists.withdrawn ?? noUsers
    this.#added = setOf(record.recipients.userIds)
    this.#excepted = setOf(record.recipients.exceptUserIds)
    this.#groups = record.groups
  }

  get kind(): string {
    return this.#kind
  }

  get data(): unknown {
    return this.#data
  }

  /** The recipients that the record names, besides those of its interned audience. */
  get namedUserIds(): Iterable<number> {
    return this.#added
  }

  /** Upper bound of the number of recipients. */
  get recipientCount(): number {
    return this.#audience.size + this.#added.size
  }

  /**
   * Memory used by the entry, in bytes, once it is counted; without its audience, which is shared.
   */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Counts the memory of the entry, and reports its growth, until {@link uncount}. */
  count(onGrowth: (bytes: number) => void): void {
    this.#onGrowth = onGrowth
    let bytes = entryBytes + bytesOf(this.data) + idBytes * (this.#added.size + this.#excepted.size)
    for (const { userIds, fields } of this.#groups) {
      bytes += idBytes * userIds.length + bytesOf(fields)
    }
    for (const texts of this.#renderings.values()) bytes += bytesOf(texts)
    this.#grow(bytes)
  }

  /** Removes the text. Without a remainder, the entry yields no event any more. */
  erase(remainder: unknown): void {
    this.#data = remainder ?? {}
    if (remainder === undefined) {
      this.#kind = textRemoved.kind
      this.#audience = noUsers
      this.#followers = noUsers
      this.#added = noUsers
      this.#groups = []
      this.#fields = undefined
      this.commonFields = undefined
    }
    this.#renderings.clear()
    this.#events.clear()
    this.#acceptances = undefined
    const onGrowth = this.#onGrowth
    if (onGrowth === undefined) return
    onGrowth(-this.#heldBytes)
    this.#heldBytes = 0
    this.count(onGrowth)
  }

  /** Withdraws the entry from the recipients of another one, and optionally from followers. */
  withdrawFrom(others: LogEntry, endsFollowing: boolean): void {
    this.#withdrawn = new Set([...this.#withdrawn, ...others.recipients()])
    if (endsFollowing) this.#followers = noUsers
  }

  uncount(): void {
    this.#onGrowth = undefined
    this.#heldBytes = 0
  }

  /** The JSON texts of a variant, each without closing brace. */
  rendering(variant: string): readonly string[] | undefined {
    return this.#renderings.get(variant)
  }

  keepRendering(variant: string, texts: readonly string[]): void {
    this.#renderings.set(variant, texts)
    if (this.#onGrowth !== undefined) this.#grow(bytesOf(texts))
  }

  /** The events of a variant for recipients with these fields. */
  events(variant: string, fields: RecipientFields): SharedEvents | undefined {
    return this.#events.get(variant)?.get(fields)
  }

  /** Whether queues with these options accept the entry, if that is known. */
  acceptance(options: EventQueueOptions, fields: RecipientFields): boolean | undefined {
    return this.#acceptances?.find(options, fields)
  }

  /** Keeps it until the current tick of the event loop has ended. */
  keepAcceptance(acceptance: Acceptance): void {
    if (this.#acceptances === undefined) {
      this.#acceptances = new Acceptances()
      setImmediate(() => (this.#acceptances = undefined))
    }
    this.#acceptances.keep(acceptance)
  }

  /** Keeps them until the current tick of the event loop has ended. */
  keepEvents(variant: string, fields: RecipientFields, events: SharedEvents): void {
    if (this.#events.size === 0) setImmediate(() => this.#events.clear())
    const known = this.#events.get(variant)
    if (known === undefined) this.#events.set(variant, new Map([[fields, events]]))
    else known.set(fields, events)
  }

  #grow(bytes: number): void {
    this.#heldBytes += bytes
    this.#onGrowth?.(bytes)
  }

  isFor(userId: number): boolean {
    if (this.#withdrawn.has(userId)) return false
    return this.#added.has(userId) || (this.#audience.has(userId) && !this.#excepted.has(userId))
  }

  /** Whether the user receives it in queues that requested all public channels. */
  isForFollower(userId: number): boolean {
    return this.#followers.has(userId) && !this.#withdrawn.has(userId)
  }

  /** Whether any user receives it by requesting all public channels. */
  get hasFollowers(): boolean {
    return this.#followers.size > 0
  }

  *recipients(): Iterable<number> {
    for (const userId of this.#added) yield userId
    for (const userId of this.#audience) {
      if (!this.#excepted.has(userId) && !this.#added.has(userId)) yield userId
    }
  }

  /** The fields for this recipient only, or undefined for the common ones. */
  fieldsOf(userId: number): RecipientFields | undefined {
    if (this.#groups.length === 0) return undefined
    this.#fields ??= fieldsByUser(this.#groups)
    return this.#fields.get(userId)
  }
}

function setOf(userIds: readonly number[] | undefined): UserIds {
  return userIds === undefined || userIds.length === 0 ? noUsers : new Set(userIds)
}

function fieldsByUser(groups: readonly RecipientGroup[]): Map<number, RecipientFields> {
  const fields = new Map<number, RecipientFields>()
  for (const group of groups) {
    for (const userId of group.userIds) {
      if (!fields.has(userId)) fields.set(userId, group.fields)
    }
  }
  return fields
}
