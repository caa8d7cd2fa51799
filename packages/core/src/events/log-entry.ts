import type { RecipientFields, RecipientGroup } from './event.js'
import { bytesOf } from './tail-memory.js'
import { erasedKind } from './text-changes.js'

/** A committed event: one row of the organization's log. */
export interface LogRecord {
  readonly organizationId: number
  /** Dense per organization, in the order of the commits, from 1. */
  readonly seq: number
  readonly kind: string
  readonly audienceId: number | null
  /** The interned list of those who get it if they asked for all public channels. */
  readonly followerAudienceId?: number | null
  /** The interned list of those who may no longer get it. */
  readonly withdrawnAudienceId?: number | null
  /** The message whose text `data` holds. */
  readonly messageId?: number | null
  readonly recipients: LogRecipients
  readonly groups: readonly RecipientGroup[]
  readonly data: unknown
}

/** The recipients of a record besides those of its interned audience. */
export interface LogRecipients {
  readonly userIds?: readonly number[]
  readonly exceptUserIds?: readonly number[]
}

/** The interned lists that a record names. */
export interface EntryLists {
  readonly audience?: ReadonlySet<number> | undefined
  readonly followers?: ReadonlySet<number> | undefined
  readonly withdrawn?: ReadonlySet<number> | undefined
}

/** An entry without anything in it. */
const entryBytes = 500
/** A user's id in a list, in a set, and among the fields of groups. */
const idBytes = 64

const nobody: ReadonlySet<number> = new Set()

/**
 * A record as a process keeps it while clients may still ask for it: recipients resolved, and the
 * JSON of every variant made at most once.
 */
export class LogEntry {
  readonly seq: number
  /** The fields of recipients that have none of their own, once they are known. */
  commonFields: RecipientFields | undefined
  /** JSON texts of recipients' fields, without braces, by variant. */
  readonly fieldTexts = new Map<string, Map<RecipientFields, string>>()

  /** JSON texts without closing brace, by variant. */
  readonly #renderings = new Map<string, readonly string[]>()
  #onGrowth: ((bytes: number) => void) | undefined
  #heldBytes = 0
  #kind: string
  #data: unknown
  #audience: ReadonlySet<number>
  #followers: ReadonlySet<number>
  #added: ReadonlySet<number>
  readonly #excepted: ReadonlySet<number>
  /** Those who may no longer get it. */
  #withdrawn: ReadonlySet<number>
  #groups: readonly RecipientGroup[]
  #fields: Map<number, RecipientFields> | undefined

  constructor(record: LogRecord, lists: EntryLists = {}) {
    this.seq = record.seq
    this.#kind = record.kind
    this.#data = record.data
    this.#audience = lists.audience ?? nobody
    this.#followers = lists.followers ?? nobody
    this.#withdrawn = lists.withdrawn ?? nobody
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

  /** How many users receive it at most. */
  get recipientCount(): number {
    return this.#audience.size + this.#added.size
  }

  /** What the entry takes, in bytes, once it is counted; without its audience, which others share. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Counts what the entry takes, and tells by how much it grows, until {@link uncount}. */
  count(onGrowth: (bytes: number) => void): void {
    this.#onGrowth = onGrowth
    let bytes = entryBytes + bytesOf(this.data) + idBytes * (this.#added.size + this.#excepted.size)
    for (const { userIds, fields } of this.#groups) {
      bytes += idBytes * userIds.length + bytesOf(fields)
    }
    for (const texts of this.#renderings.values()) bytes += bytesOf(texts)
    this.#grow(bytes)
  }

  /** Forgets a text. Without a remainder, the entry brings no event any more. */
  erase(remainder: unknown): void {
    this.#data = remainder ?? {}
    if (remainder === undefined) {
      this.#kind = erasedKind
      this.#audience = nobody
      this.#followers = nobody
      this.#added = nobody
      this.#groups = []
      this.#fields = undefined
      this.commonFields = undefined
    }
    this.#renderings.clear()
    this.fieldTexts.clear()
    const onGrowth = this.#onGrowth
    if (onGrowth === undefined) return
    onGrowth(-this.#heldBytes)
    this.#heldBytes = 0
    this.count(onGrowth)
  }

  /** Brings the entry no longer to the recipients of another one, nor to followers if it says so. */
  withdrawFrom(others: LogEntry, endsFollowing: boolean): void {
    this.#withdrawn = new Set([...this.#withdrawn, ...others.recipients()])
    if (endsFollowing) this.#followers = nobody
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

  #grow(bytes: number): void {
    this.#heldBytes += bytes
    this.#onGrowth?.(bytes)
  }

  isFor(userId: number): boolean {
    if (this.#withdrawn.has(userId)) return false
    return this.#added.has(userId) || (this.#audience.has(userId) && !this.#excepted.has(userId))
  }

  /** Whether the user gets it in queues that asked for all public channels. */
  isForFollower(userId: number): boolean {
    return this.#followers.has(userId) && !this.#withdrawn.has(userId)
  }

  /** Whether anyone gets it for having asked for all public channels. */
  get hasFollowers(): boolean {
    return this.#followers.size > 0
  }

  *recipients(): Iterable<number> {
    for (const userId of this.#added) yield userId
    for (const userId of this.#audience) {
      if (!this.#excepted.has(userId) && !this.#added.has(userId)) yield userId
    }
  }

  /** The fields that only this recipient gets, or undefined for the common ones. */
  fieldsOf(userId: number): RecipientFields | undefined {
    if (this.#groups.length === 0) return undefined
    this.#fields ??= fieldsByUser(this.#groups)
    return this.#fields.get(userId)
  }
}

function setOf(userIds: readonly number[] | undefined): ReadonlySet<number> {
  return userIds === undefined || userIds.length === 0 ? nobody : new Set(userIds)
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
