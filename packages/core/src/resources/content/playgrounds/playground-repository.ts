import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'

@perServer()
export class PlaygroundRepository {
  async has(tx: Transaction, language: string, name: string): Promise<boolean> {
    const row = await tx
      .query('playgrounds')
      .where({ pygments_language: language, name })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }
}
