import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import { AudienceCache, type StoredUserIds } from '../../events/log/audience-cache.js'
import { ChangedUserIds, SortedUserIds, type UserIds } from '../../events/user-ids.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { entryLimit } from '../../kernel/entry-limit.js'
import type { OrganizationScope } from '../rows/scope.js'
import { eventAudiences, type EventAudienceRow } from './event-audiences-table.js'
import { Transaction } from '../transactions/transaction.js'

const dayMilliseconds = 24 * 60 * 60 * 1000
/** Lists of fewer users are stored whole after each change. */
const minBaseUsers = 1000
/** Users in which a list may differ from the whole list that it refers to. */
const maxDifference = 300

type StoredList = Pick<EventAudienceRow, 'base_id' | 'user_ids' | 'removed_user_ids'>

/** Users who join and leave a list; those who are in it already, or are not, may be among them. */
export interface AudienceChange {
  readonly added?: readonly number[]
  readonly removed?: readonly number[]
}

/**
 * Interned lists of recipients of events, each stored once and shared by any number of events. Long
 * lists that change a little are stored as differences, so that it does not matter how long they are.
 */
export class AudienceStore {
  /**
   * Ids by organization and hash. Entries expire before unused rows are deleted, so a cached id is
   * always valid.
   */
  readonly #ids = new LRUCache<string, number>({ ...entryLimit(10_000), ttl: dayMilliseconds })

  /** Lists that were read or derived, by id: a list never changes. */
  readonly #lists = new AudienceCache()

  constructor(private readonly clock: Clock) {}

  /** @returns the id of the list, which is stored if it is new. */
  async intern(tx: Transaction, userIds: readonly number[]): Promise<number> {
    const sorted = new Uint32Array(userIds).sort()
    // A set of tens of thousands of ids would take several times as long.
    return this.#internSorted(
      tx,
      sorted.filter((id, index) => id !== sorted[index - 1]),
    )
  }

  /**
   * Changes a list without reading the rows from which it was made.
   *
   * @returns the id of the changed list, which is stored if it is new; null if the list from which it
   *   would be made is not stored, so that it must be built from the rows.
   */
  async derive(
    tx: Transaction,
    audienceId: number,
    change: AudienceChange,
  ): Promise<number | null> {
    const before = this.#lists.get(audienceId) ?? (await this.#read(tx, audienceId))
    if (before === undefined) return null
    const after = changed(audienceId, before, change)
    const difference = after.added.size + after.removed.size
    if (difference === 0) return after.baseId
    if (after.base.size < minBaseUsers || difference > maxDifference) {
      return this.#internSorted(tx, new Uint32Array(after).sort())
    }
    const id = await this.#intern(tx, {
      base_id: after.baseId,
      user_ids: textOf(after.added),
      removed_user_ids: textOf(after.removed),
    })
    tx.afterCommit(() => this.#lists.set(id, after))
    return id
  }

  #internSorted(tx: Transaction, userIds: Uint32Array): Promise<number> {
    return this.#intern(tx, { base_id: null, user_ids: textOf(userIds), removed_user_ids: null })
  }

  async #intern(tx: Transaction, list: StoredList): Promise<number> {
    const memberHash = hashOf(list)
    const key = `${tx.organizationId}/${memberHash}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const row = { ...list, member_hash: memberHash, interned_at_seconds: nowSeconds(this.clock) }
    // Another process may have stored the same list, which an application's own transaction does not
    // see under REPEATABLE READ.
    const id =
      (await this.#touch(tx, memberHash)) ?? (await tx.rows(eventAudiences).insertIfAbsent(row))
    tx.afterCommit(() => this.#ids.set(key, id))
    return id
  }

  async #touch(tx: Transaction, memberHash: string): Promise<number | undefined> {
    const found = await tx
      .query('event_audiences')
      .where({ member_hash: memberHash })
      .first<{ id: number } | undefined>('id')
    if (found === undefined) return undefined
    await tx
      .query('event_audiences')
      .where({ id: found.id })
      .update({ interned_at_seconds: nowSeconds(this.clock) })
    return found.id
  }

  /** A list that is in memory. */
  known(audienceId: number): UserIds | undefined {
    return this.#lists.get(audienceId)
  }

  async members(scope: OrganizationScope, audienceId: number): Promise<UserIds> {
    const known = this.#lists.get(audienceId)
    if (known !== undefined) return known
    return (await this.#read(scope, audienceId)) ?? new SortedUserIds([])
  }

  /** @returns undefined if the list is not stored, which is never remembered. */
  async #read(scope: OrganizationScope, audienceId: number): Promise<StoredUserIds | undefined> {
    const row = await scope
      .query('event_audiences')
      .where({ id: audienceId })
      .first<StoredList | undefined>('base_id', 'user_ids', 'removed_user_ids')
    if (row === undefined) return undefined
    const list =
      row.base_id === null ? listOf(row.user_ids) : await this.#readChanged(scope, row, row.base_id)
    if (list === undefined) return undefined
    // After a rollback, another list may get the id of one that the transaction has stored.
    if (scope instanceof Transaction) scope.afterCommit(() => this.#lists.set(audienceId, list))
    else this.#lists.set(audienceId, list)
    return list
  }

  async #readChanged(
    scope: OrganizationScope,
    row: StoredList,
    baseId: number,
  ): Promise<ChangedUserIds | undefined> {
    const base = this.#lists.get(baseId) ?? (await this.#read(scope, baseId))
    if (!(base instanceof SortedUserIds)) return undefined
    return new ChangedUserIds(
      baseId,
      base,
      listOf(row.user_ids),
      listOf(row.removed_user_ids ?? ''),
    )
  }
}

/** The list after a change, as its difference from a whole list. Ids in both parts are removed. */
function changed(
  audienceId: number,
  before: StoredUserIds,
  { added: joining = [], removed: leaving = [] }: AudienceChange,
): ChangedUserIds {
  const isDifference = before instanceof ChangedUserIds
  const base = isDifference ? before.base : before
  const added = new Set(isDifference ? before.added : [])
  const removed = new Set(isDifference ? before.removed : [])
  for (const id of joining) if (!removed.delete(id) && !base.has(id)) added.add(id)
  for (const id of leaving) if (!added.delete(id) && base.has(id)) removed.add(id)
  return new ChangedUserIds(
    isDifference ? before.baseId : audienceId,
    base,
    new SortedUserIds(Uint32Array.from(added).sort()),
    new SortedUserIds(Uint32Array.from(removed).sort()),
  )
}

function hashOf({ base_id, user_ids, removed_user_ids }: StoredList): string {
  const text = base_id === null ? user_ids : `${base_id}+${user_ids}-${removed_user_ids}`
  return createHash('sha256').update(text).digest('hex')
}

function textOf(userIds: Iterable<number>): string {
  return new Uint32Array(userIds).join(',')
}

function listOf(text: string): SortedUserIds {
  return new SortedUserIds(text === '' ? [] : text.split(',').map(Number))
}
