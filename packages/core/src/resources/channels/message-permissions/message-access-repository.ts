import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { receivedFlagsSql } from '../unwritten-messages/index.js'
import { messages, type MessageRow } from './messages-table.js'

/** The names of the columns of {@link MessageRow}. */
export const messageColumns: readonly string[] = Object.keys(messages.columns)

/** A message, and the flags of one user's user message; null if the user has none. */
export type MessageForUser = MessageRow & { user_message_flags: number | null }

/** Every database accepts this many ids in a statement; inlined, they need no placeholders. */
const idsPerStatement = 20_000

@perServer()
export class MessageAccessRepository {
  async findForUser(
    scope: OrganizationScope,
    messageIds: readonly number[],
    userId: number,
  ): Promise<MessageForUser[]> {
    const found: MessageForUser[] = []
    for (let start = 0; start < messageIds.length; start += idsPerStatement) {
      const ids = messageIds.slice(start, start + idsPerStatement)
      found.push(...(await this.#forUser(scope, ids, userId)))
    }
    return found
  }

  /** Like {@link findForUser}, and locks the messages and user messages until `tx` ends. */
  async findForChange(
    tx: Transaction,
    messageIds: readonly number[],
    userId: number,
  ): Promise<MessageForUser[]> {
    if (messageIds.length === 0) return []
    return tx.dialect.lockForUpdate(this.#forUser(tx, messageIds, userId), 'm')
  }

  #forUser(scope: OrganizationScope, messageIds: readonly number[], userId: number) {
    return scope
      .queryAs('messages', 'm')
      .leftJoin(scope.as('user_messages', 'um'), (join) => {
        join.on('um.message_id', 'm.id').andOnVal('um.user_id', userId)
      })
      .whereRaw(`m.id IN (${idList(messageIds)})`)
      .orderBy('m.id')
      .select(
        'm.*',
        scope.executor.raw(`${receivedFlagsSql(scope, userId, 'um.flags')} AS user_message_flags`),
      )
  }
}
