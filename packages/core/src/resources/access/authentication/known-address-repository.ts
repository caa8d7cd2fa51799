import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type Transaction } from '../../../storage/index.js'
import { knownAddresses, type KnownAddressRow } from './known-addresses-table.js'

/** Addresses from which users have signed in. */
@perServer()
export class KnownAddressRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /** @returns the UNIX seconds of the last sign-in, or undefined if the address is not known. */
  async findUse(organizationId: number, loginHash: string): Promise<number | undefined> {
    const row = await this.database
      .read(organizationId)
      .query('known_addresses')
      .where({ login_hash: loginHash })
      .first<Pick<KnownAddressRow, 'used_at_seconds'> | undefined>('used_at_seconds')
    return row?.used_at_seconds
  }

  /** Inserts a row, or replaces the one with the same name and address. */
  async put(tx: Transaction, row: Omit<KnownAddressRow, 'organization_id'>): Promise<void> {
    await tx.query('known_addresses').where({ login_hash: row.login_hash }).delete()
    await tx.rows(knownAddresses).insert(row)
  }

  /**
   * Deletes the addresses of a user except the most recently used ones.
   *
   * @param keep how many are kept, and since when they must have been used.
   */
  async trim(
    tx: Transaction,
    userId: number,
    keep: { readonly count: number; readonly sinceSeconds: number },
  ): Promise<void> {
    const rows = await tx
      .query('known_addresses')
      .where({ user_id: userId })
      .orderBy('used_at_seconds', 'desc')
      .limit(keep.count)
      .select<Pick<KnownAddressRow, 'login_hash' | 'used_at_seconds'>[]>(
        'login_hash',
        'used_at_seconds',
      )
    const kept = rows.filter(({ used_at_seconds }) => used_at_seconds >= keep.sinceSeconds)
    await tx
      .query('known_addresses')
      .where({ user_id: userId })
      .whereNotIn(
        'login_hash',
        kept.map(({ login_hash }) => login_hash),
      )
      .delete()
  }
}
