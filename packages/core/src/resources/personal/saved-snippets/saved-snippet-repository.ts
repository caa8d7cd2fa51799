import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction, RowsSize } from '../../../storage/index.js'
import type { SavedSnippetRow } from './saved-snippets-table.js'

@perServer()
export class SavedSnippetRepository {
  /** The size of all snippets of the user. */
  async size(scope: OrganizationScope, userId: number): Promise<RowsSize> {
    return scope.size('saved_snippets', { user_id: userId }, ['content', 'title'])
  }

  /** All snippets of the user, oldest first. */
  async list(scope: OrganizationScope, userId: number): Promise<SavedSnippetRow[]> {
    return scope.query('saved_snippets').where({ user_id: userId }).orderBy('id').select('*')
  }

  /** One snippet, with an exclusive lock until the transaction ends. */
  async findForChange(
    tx: Transaction,
    userId: number,
    id: number,
  ): Promise<SavedSnippetRow | undefined> {
    return tx.dialect
      .lockForUpdate(tx.query('saved_snippets').where({ id, user_id: userId }))
      .first<SavedSnippetRow | undefined>()
  }

  async insert(tx: Transaction, row: NewRow<SavedSnippetRow>): Promise<number> {
    return tx.insert('saved_snippets', row)
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<SavedSnippetRow>[]): Promise<void> {
    await tx.insert('saved_snippets', rows)
  }

  async update(tx: Transaction, id: number, changes: Partial<SavedSnippetRow>): Promise<void> {
    await tx.query('saved_snippets').where({ id }).update(changes)
  }

  /** @returns whether the snippet existed. */
  async delete(tx: Transaction, userId: number, id: number): Promise<boolean> {
    return (await tx.query('saved_snippets').where({ id, user_id: userId }).delete()) > 0
  }
}
