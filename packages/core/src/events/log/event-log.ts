import { defineRecord } from '../record-kind.js'
import type { UserIds } from '../user-ids.js'
import type { LogRecord } from './log-entry.js'
import type { UncommittedChanges } from './kept-values.js'

/** Appends a number to the log and says nothing. */
export const tick = defineRecord<object>('@tick')

/** Reads the organizations' event logs; implemented by the storage module. */
export interface EventLog {
  readonly uncommitted: UncommittedChanges
  /** The newest sequence number of each organization; unknown organizations are left out. */
  headSeqs(organizationIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Up to `limit` records after `afterSeq`, in order. */
  read(organizationId: number, afterSeq: number, limit: number): Promise<readonly LogRecord[]>
  /** The users of an interned audience, if they are in memory. */
  knownAudience(audienceId: number): UserIds | undefined
  /** The users of an interned audience. */
  audience(organizationId: number, audienceId: number): Promise<UserIds>
  /** Appends a record without recipients, so that ephemeral events get fresh ids. */
  tick(organizationId: number): Promise<void>
}
