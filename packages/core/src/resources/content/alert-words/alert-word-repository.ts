import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'
import type { AlertWordRow } from './alert-words-table.js'

@perServer()
export class AlertWordRepository {
  /** The number of alert words that the user has. */
  async count(scope: OrganizationScope, userId: number): Promise<number> {
    return scope.count('alert_words', { user_id: userId })
  }

  /** A user's words, in alphabetical order. */
  async list(scope: OrganizationScope, userId: number): Promise<string[]> {
    const rows = await scope
      .query('alert_words')
      .where({ user_id: userId })
      .orderBy('word_key')
      .select<{ word: string }[]>('word')
    return rows.map((row) => row.word)
  }

  async listOfEveryone(
    scope: OrganizationScope,
    userIds?: readonly number[],
  ): Promise<Pick<AlertWordRow, 'user_id' | 'word'>[]> {
    const query = scope.query('alert_words').select('user_id', 'word')
    return userIds === undefined ? query : query.whereIn('user_id', [...userIds])
  }

  /** Returns those of the keys that the user already has. */
  async listKeys(tx: Transaction, userId: number, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return []
    const rows = await tx
      .query('alert_words')
      .where({ user_id: userId })
      .whereIn('word_key', [...keys])
      .select<{ word_key: string }[]>('word_key')
    return rows.map((row) => row.word_key)
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<AlertWordRow>[]): Promise<void> {
    await tx.insert('alert_words', rows)
  }

  async delete(tx: Transaction, userId: number, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await tx
      .query('alert_words')
      .where({ user_id: userId })
      .whereIn('word_key', [...keys])
      .delete()
  }
}
