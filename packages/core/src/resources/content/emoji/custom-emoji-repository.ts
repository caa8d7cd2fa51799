import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'
import type { CustomEmojiRow } from './custom-emoji-table.js'

/** The columns that most look-ups need. */
export type CustomEmojiFacts = Omit<CustomEmojiRow, 'organization_id'>

const facts = ['id', 'name', 'author_id', 'is_deactivated', 'image_token', 'content_type'] as const

@perServer()
export class CustomEmojiRepository {
  /** The number of emoji of the organization. */
  async count(scope: OrganizationScope): Promise<number> {
    return scope.count('custom_emoji')
  }

  /** All emoji, including deactivated ones, ordered by id. */
  async list(scope: OrganizationScope): Promise<CustomEmojiFacts[]> {
    return scope
      .query('custom_emoji')
      .orderBy('id')
      .select(...facts)
  }

  async find(scope: OrganizationScope, id: number): Promise<CustomEmojiFacts | undefined> {
    return scope
      .query('custom_emoji')
      .where({ id })
      .first(...facts)
  }

  /** The active emoji with these names. */
  async findActive(
    scope: OrganizationScope,
    names: readonly string[],
  ): Promise<CustomEmojiFacts[]> {
    if (names.length === 0) return []
    return scope
      .query('custom_emoji')
      .where({ is_deactivated: false })
      .whereIn('name', [...names])
      .select(...facts)
  }

  async insert(tx: Transaction, row: NewRow<CustomEmojiRow>): Promise<number> {
    return tx.insert('custom_emoji', row)
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<CustomEmojiRow>[]): Promise<void> {
    await tx.insert('custom_emoji', rows)
  }

  async deactivate(tx: Transaction, id: number): Promise<void> {
    await tx.query('custom_emoji').where({ id }).update({ is_deactivated: true })
  }
}
