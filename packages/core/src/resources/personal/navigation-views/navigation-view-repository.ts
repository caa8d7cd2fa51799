import { createHash } from 'node:crypto'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { NavigationViewRow } from './navigation-views-table.js'

/** The columns of a new view that its creator provides. */
type NewView = Pick<NavigationViewRow, 'user_id' | 'fragment' | 'name'> & { is_pinned: boolean }

@perServer()
export class NavigationViewRepository {
  async has(scope: OrganizationScope, userId: number, fragment: string): Promise<boolean> {
    const row = await this.#one(scope, userId, fragment).first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  async insert(tx: Transaction, view: NewView): Promise<void> {
    await tx.insert('navigation_views', { ...view, fragment_hash: hashOfFragment(view.fragment) })
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
