import { createHash } from 'node:crypto'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { pushTokens, type PushTokenRow } from './push-devices-table.js'

/** The columns that identify a token. */
export type TokenKey = Pick<PushTokenRow, 'user_id' | 'kind' | 'token'>

@perServer()
export class PushTokenRepository {
  async has(tx: Transaction, key: TokenKey): Promise<boolean> {
    return tx.rows(pushTokens).has(keyColumns(key))
  }

  async insert(tx: Transaction, row: TokenKey & Pick<PushTokenRow, 'realm_url'>): Promise<void> {
    await tx.rows(pushTokens).insert({ ...row, ...keyColumns(row) })
  }

  /** @returns whether the token existed. */
  async delete(tx: Transaction, key: TokenKey): Promise<boolean> {
    return (await tx.rows(pushTokens).delete(keyColumns(key))) > 0
  }

  /** Deletes tokens of a user that are no longer registered at a push service. */
  async deleteMany(
    tx: Transaction,
    userId: number,
    kind: PushTokenRow['kind'],
    tokens: readonly string[],
  ): Promise<void> {
    await tx
      .query('push_tokens')
      .where({ user_id: userId, kind })
      .whereIn(
        'token_hash',
        tokens.map((token) => tokenHash(kind, token)),
      )
      .delete()
  }

  async list(scope: OrganizationScope, userId: number): Promise<PushTokenRow[]> {
    return scope.rows(pushTokens).list({ user_id: userId }, 'id')
  }

  /** All tokens of these users, oldest first. */
  async listOf(scope: OrganizationScope, userIds: readonly number[]): Promise<PushTokenRow[]> {
    return scope.rows(pushTokens).list({ user_id: userIds }, 'id')
  }

  async listOwnerIds(scope: OrganizationScope): Promise<number[]> {
    const rows = await scope.query('push_tokens').distinct<{ user_id: number }[]>('user_id')
    return rows.map((row) => row.user_id)
  }
}

function keyColumns({
  user_id,
  kind,
  token,
}: TokenKey): Pick<PushTokenRow, 'user_id' | 'kind' | 'token_hash'> {
  return { user_id, kind, token_hash: tokenHash(kind, token) }
}

function tokenHash(kind: PushTokenRow['kind'], token: string): string {
  return createHash('sha256')
    .update(kind === 1 ? token.toLowerCase() : token)
    .digest('hex')
}
