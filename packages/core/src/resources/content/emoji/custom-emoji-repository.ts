import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { CustomEmojiRow } from './custom-emoji-table.js'

/** The columns that most look-ups need. */
export type CustomEmojiFacts = Omit<CustomEmojiRow, 'organization_id'>

const facts = ['id', 'name', 'author_id', 'is_deactivated', 'image_token', 'content_type'] as const

@perServer()
export class CustomEmojiRepository {
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
}
