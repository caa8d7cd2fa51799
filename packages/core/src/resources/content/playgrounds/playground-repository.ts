import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'
import type { PlaygroundRow } from './playgrounds-table.js'

@perServer()
export class PlaygroundRepository {
  /** The number of playgrounds of the organization. */
  async count(scope: OrganizationScope): Promise<number> {
    return scope.count('playgrounds')
  }

  /** All playgrounds of the organization, oldest first. */
  async list(scope: OrganizationScope): Promise<PlaygroundRow[]> {
    return scope.query('playgrounds').orderBy('id').select('*')
  }

  async find(scope: OrganizationScope, id: number): Promise<PlaygroundRow | undefined> {
    return scope.query('playgrounds').where({ id }).first<PlaygroundRow | undefined>()
  }

  async has(tx: Transaction, language: string, name: string): Promise<boolean> {
    const row = await tx
      .query('playgrounds')
      .where({ pygments_language: language, name })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  async insert(tx: Transaction, row: NewRow<PlaygroundRow>): Promise<number> {
    return tx.insert('playgrounds', row)
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<PlaygroundRow>[]): Promise<void> {
    await tx.insert('playgrounds', rows)
  }

  /** @returns whether the playground existed. */
  async delete(tx: Transaction, id: number): Promise<boolean> {
    return (await tx.query('playgrounds').where({ id }).delete()) > 0
  }
}
