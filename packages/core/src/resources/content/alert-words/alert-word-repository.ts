import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { AlertWordRow } from './alert-words-table.js'

@perServer()
export class AlertWordRepository {
  /** A user's words, in alphabetical order. */
  async list(scope: OrganizationScope, userId: number): Promise<string[]> {
    const query = scope.query('alert_words').where({ user_id: userId }).orderBy('word_key')
    const rows = await scope.listRows<{ word: string }>(query, ['word'])
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
}
