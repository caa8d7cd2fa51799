import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  idList,
  type Json,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { receivedFlagsSql } from '../unwritten-messages/index.js'

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    messages: MessageRow
    user_messages: UserMessageRow
  }
}

export interface MessageRow {
  id: number
  organization_id: number
  sender_id: number
  recipient_id: number
  /** Null for direct messages. */
  channel_id: number | null
  topic: string
  topic_key: string
  content: string
  rendered_content: string
  sent_at_seconds: number
  client: string
  /** Bits: 1 link, 2 image, 4 attachment. */
  content_traits: number
  /** The items as sent to clients, newest first; null if the message never changed. */
  edit_history: Json<readonly EditHistoryItem[]> | null
  last_edited_at_seconds: number | null
  last_moved_at_seconds: number | null
  /** Null if the message is in the channel that it was sent to. */
  changed_channel_at_seconds: number | null
  /** Flags of all receivers, because everybody is mentioned; mask of `MessageFlag`. */
  shared_flags: number
}

/** The type demands every column. */
const columns: Readonly<Record<keyof MessageRow, true>> = {
  id: true,
  organization_id: true,
  sender_id: true,
  recipient_id: true,
  channel_id: true,
  topic: true,
  topic_key: true,
  content: true,
  rendered_content: true,
  sent_at_seconds: true,
  client: true,
  content_traits: true,
  edit_history: true,
  last_edited_at_seconds: true,
  last_moved_at_seconds: true,
  changed_channel_at_seconds: true,
  shared_flags: true,
}

/** The names of the columns of {@link MessageRow}. */
export const messageColumns: readonly string[] = Object.keys(columns)

/** A user message: a message that a user received, with the user's flags. */
export interface UserMessageRow {
  organization_id: number
  user_id: number
  message_id: number
  /** Mask of `MessageFlag`. */
  flags: number
}

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
    return tx.dialect.lockForUpdate(this.#forUser(tx, messageIds, userId))
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
