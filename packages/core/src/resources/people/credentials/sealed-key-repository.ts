import { afterSealed, secretIdIn, secretIdMark, sealedPrefix } from '../../../kernel/secret-box.js'
import type { Database, Transaction } from '../../../storage/index.js'

/** An encrypted API key, and its owner. */
export interface SealedKeyRow {
  readonly id: number
  readonly organization_id: number
  readonly api_key_sealed: string
}

/** The columns with texts that were encrypted with the server's secret. */
const sealedColumns = [
  ['users', 'api_key_sealed'],
  ['invitations', 'token_sealed'],
  ['server_secrets', 'value'],
] as const

const columns = ['id', 'organization_id', 'api_key_sealed'] as const

/**
 * The API keys of all organizations, by the secret that they are encrypted under. Encrypted keys
 * begin with the id of their secret, so the index of the column leads from one id to the next.
 */
export class SealedKeyRepository {
  constructor(private readonly database: Database) {}

  /**
   * The ids of the secrets that API keys, links of invitations and the data key are encrypted under.
   * Runs one query for each id and column.
   */
  async listSecretIds(): Promise<string[]> {
    const ids = new Set<string>()
    for (const [table, column] of sealedColumns) {
      let after = secretIdMark
      for (;;) {
        const id = await this.#firstIdFrom(table, column, after)
        if (id === undefined) break
        ids.add(id)
        after = afterSealed(id)
      }
    }
    return [...ids]
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

  async #firstIdFrom(
    table: (typeof sealedColumns)[number][0],
    column: (typeof sealedColumns)[number][1],
    text: string,
  ): Promise<string | undefined> {
    const [row] = await this.database
      .reader<{ sealed: string }>(this.database.table(table))
      .select({ sealed: column })
      .where(column, '>', text)
      .orderBy(column)
      .limit(1)
    return row === undefined ? undefined : secretIdIn(row.sealed)
  }

  #others(secretId: string) {
    return this.database.queryAll('users').where((others) => {
      void others
        .where('api_key_sealed', '<', sealedPrefix(secretId))
        .orWhere('api_key_sealed', '>=', afterSealed(secretId))
    })
  }
}
