import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

@perServer()
export class ReactionRepository {
  /** How many reactions a message has, and how many of them are of a user. */
  async counts(
    scope: OrganizationScope,
    messageId: number,
    userId: number,
  ): Promise<{ readonly all: number; readonly own: number }> {
    type Counts = Record<'all_rows' | 'own_rows', number | string>
    const query = scope.query('reactions').where({ message_id: messageId })
    const [counts] = await scope.listRows<Counts>(query, {
      all_rows: scope.executor.raw('COUNT(*)'),
      own_rows: scope.executor.raw('COALESCE(SUM(CASE WHEN user_id = ? THEN 1 ELSE 0 END), 0)', [
        userId,
      ]),
    })
    return { all: Number(counts?.all_rows), own: Number(counts?.own_rows) }
  }
}
