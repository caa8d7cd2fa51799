import { secretIdIn, secretIdMark, sealedPrefix } from '../../../kernel/secret-box.js'
import type { Database, Transaction } from '../../../storage/index.js'

/** An encrypted API key, and its owner. */
export interface SealedKeyRow {
  readonly id: number
  readonly organization_id: number
  readonly api_key_sealed: string
}

const columns = ['id', 'organization_id', 'api_key_sealed'] as const

/**
 * The API keys of all organizations, by the secret that they are encrypted under. Encrypted keys
 * begin with the id of their secret, so the index of the column leads from one id to the next.
 */
export class SealedKeyRepository {
  constructor(private readonly database: Database) {}

  /** The ids of the secrets that API keys are encrypted under. Runs one query for each id. */
  async listSecretIds(): Promise<string[]> {
    const ids: string[] = []
    let after = secretIdMark
    for (;;) {
      const row = await this.#firstFrom(after)
      const id = row === undefined ? undefined : secretIdIn(row.api_key_sealed)
      if (id === undefined) return ids
      ids.push(id)
      after = endOf(id)
    }
  }

  /**
   * Keys that are encrypted under any other secret than this one, in a stable order.
   *
   * @param after the last key of the previous list; an empty string for the first list.
   */
  async listOthers(secretId: string, after: string, limit: number): Promise<SealedKeyRow[]> {
    return this.#others(secretId)
      .where('api_key_sealed', '>', after)
      .orderBy('api_key_sealed')
      .limit(limit)
      .select(...columns)
  }

  /** The number of keys that are encrypted under any other secret than this one. */
  async countOthers(secretId: string): Promise<number> {
    const [row] = await this.#others(secretId).count<{ count: number }[]>({ count: '*' })
    return row?.count ?? 0
  }

  /** @returns false if the user has another key meanwhile. */
  async replace(
    tx: Transaction,
    { id, api_key_sealed }: SealedKeyRow,
    sealed: string,
  ): Promise<boolean> {
    const changed = await tx
      .query('users')
      .where({ id, api_key_sealed })
      .update({ api_key_sealed: sealed })
    return changed > 0
  }

  async #firstFrom(text: string): Promise<SealedKeyRow | undefined> {
    const [row] = await this.database
      .reader<SealedKeyRow>(this.database.table('users'))
      .select(...columns)
      .where('api_key_sealed', '>', text)
      .orderBy('api_key_sealed')
      .limit(1)
    return row
  }

  #others(secretId: string) {
    return this.database.queryAll('users').where((others) => {
      void others
        .where('api_key_sealed', '<', sealedPrefix(secretId))
        .orWhere('api_key_sealed', '>=', endOf(secretId))
    })
  }
}

/**
 * Sorts after all keys that are encrypted under the secret of this id, and before those of others.
 */
function endOf(secretId: string): string {
  return `${secretIdMark}${secretId}/`
}
