import { createHash } from 'node:crypto'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'

@perServer()
export class NavigationViewRepository {
  async has(scope: OrganizationScope, userId: number, fragment: string): Promise<boolean> {
    const row = await this.#one(scope, userId, fragment).first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  async update(
    tx: Transaction,
    userId: number,
    fragment: string,
    changes: { readonly name?: string; readonly is_pinned?: boolean },
  ): Promise<void> {
    await this.#one(tx, userId, fragment).update(changes)
  }

  /** @returns whether the view existed. */
  async delete(tx: Transaction, userId: number, fragment: string): Promise<boolean> {
    return (await this.#one(tx, userId, fragment).delete()) > 0
  }

  #one(scope: OrganizationScope, userId: number, fragment: string) {
    return scope
      .query('navigation_views')
      .where({ user_id: userId, fragment_hash: hashOfFragment(fragment) })
  }
}

export function hashOfFragment(fragment: string): string {
  return createHash('sha256').update(fragment).digest('hex')
}
