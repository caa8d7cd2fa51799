import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import { SortedUserIds, type UserIds } from '../events/user-ids.js'
import { nowSeconds, type Clock } from '../kernel/clock.js'
import type { OrganizationScope } from './scope.js'
import type { Transaction } from './transaction.js'

const dayMilliseconds = 24 * 60 * 60 * 1000

/** Interned lists of recipients of events, each stored once and shared by any number of events. */
export class AudienceStore {
  /**
   * Ids by organization and hash. Entries expire before unused rows are deleted, so a cached id is
   * always valid.
   */
  readonly #ids = new LRUCache<string, number>({ max: 10_000, ttl: dayMilliseconds })

  constructor(private readonly clock: Clock) {}

  /** @returns the id of the list, which is stored if it is new. */
  async intern(tx: Transaction, userIds: readonly number[]): Promise<number> {
    const text = [...new Set(userIds)].sort((a, b) => a - b).join(',')
    const memberHash = createHash('sha256').update(text).digest('hex')
    const key = `${tx.organizationId}/${memberHash}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = (await this.#touch(tx, memberHash)) ?? (await this.#store(tx, memberHash, text))
    tx.afterCommit(() => this.#ids.set(key, id))
    return id
  }

  async #touch(tx: Transaction, memberHash: string): Promise<number | undefined> {
    const found = await this.#query(tx, memberHash)
    if (found === undefined) return undefined
    await tx
      .query('event_audiences')
      .where({ id: found.id })
      .update({ interned_at_seconds: nowSeconds(this.clock) })
    return found.id
  }

  #query(tx: Transaction, memberHash: string) {
    return tx
      .query('event_audiences')
      .where({ member_hash: memberHash })
      .first<{ id: number } | undefined>('id')
  }

  async #store(tx: Transaction, memberHash: string, userIds: string): Promise<number> {
    try {
      return await tx.insert('event_audiences', {
        member_hash: memberHash,
        user_ids: userIds,
        interned_at_seconds: nowSeconds(this.clock),
      })
    } catch (error) {
      if (!tx.dialect.isUniqueViolation(error)) throw error
      // Another process stored the same list first. Read with a lock, because a plain read would
      // not see it under REPEATABLE READ, as in an application's own transaction.
      const found = await tx.dialect.lockShared(this.#query(tx, memberHash))
      if (found === undefined) throw error
      return (found as { id: number }).id
    }
  }

  async members(scope: OrganizationScope, audienceId: number): Promise<UserIds> {
    const row = await scope
      .query('event_audiences')
      .where({ id: audienceId })
      .first<{ user_ids: string } | undefined>('user_ids')
    const text = row?.user_ids ?? ''
    return new SortedUserIds(text === '' ? [] : text.split(',').map(Number))
  }
}
