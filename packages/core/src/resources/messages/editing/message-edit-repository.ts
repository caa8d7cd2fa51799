import { inject } from 'tsyringe'

import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { SearchIndex } from '../search-index/index.js'
import { maxMovedHistoryBytes, addToEditHistory } from './edit-history.js'

/** Changes and deletes messages. */
@perServer()
export class MessageEditRepository {
  constructor(@inject(SearchIndex) private readonly words: SearchIndex) {}

  /** @param topic the topic of the message, after the edit. */
  async updateContent(
    tx: Transaction,
    message: Pick<MessageRow, 'id' | 'edit_history'>,
    changes: Pick<
      MessageRow,
      'content' | 'rendered_content' | 'content_traits' | 'shared_flags' | 'last_edited_at_seconds'
    >,
    topic: string,
    historyItem: EditHistoryItem,
  ): Promise<void> {
    await tx
      .query('messages')
      .where({ id: message.id })
      .update({
        ...changes,
        edit_history: addToEditHistory(message.edit_history, historyItem),
      })
    await this.words.replace(tx, { ...changes, id: message.id, topic })
  }

  /**
   * Moves messages and adds the move to their histories. The number of statements does not depend
   * on the number of messages.
   *
   * @param fromTopic the former topic; undefined if the topic does not change.
   * @param historyItem undefined to keep the histories unchanged.
   */
  async move(
    tx: Transaction,
    messageIds: readonly number[],
    fromTopic: string | undefined,
    changes: Partial<
      Pick<
        MessageRow,
        | 'channel_id'
        | 'recipient_id'
        | 'topic'
        | 'topic_key'
        | 'last_moved_at_seconds'
        | 'changed_channel_at_seconds'
      >
    >,
    historyItem: EditHistoryItem | undefined,
  ): Promise<void> {
    const history =
      historyItem === undefined ? {} : { edit_history: extendedHistory(tx, historyItem) }
    await tx
      .query('messages')
      // Inlined: a topic may have more messages than a statement placeholders.
      .whereRaw(`id IN (${idList(messageIds)})`)
      .update({ ...changes, ...history })
    if (fromTopic !== undefined && changes.topic !== undefined) {
      await this.words.retitle(tx, messageIds, fromTopic, changes.topic)
    }
  }

  async hasSubmessages(scope: OrganizationScope, messageId: number): Promise<boolean> {
    const row = await scope
      .query('submessages')
      .where({ message_id: messageId })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  /** Deletes messages with all rows that belong to them. */
  async delete(tx: Transaction, messageIds: readonly number[]): Promise<number> {
    await tx
      .query('user_messages')
      .whereIn('message_id', [...messageIds])
      .delete()
    await tx
      .query('reactions')
      .whereIn('message_id', [...messageIds])
      .delete()
    await tx
      .query('submessages')
      .whereIn('message_id', [...messageIds])
      .delete()
    await tx
      .query('moved_messages')
      .whereIn('message_id', [...messageIds])
      .delete()
    await this.words.delete(tx, messageIds)
    return tx
      .query('messages')
      .whereIn('id', [...messageIds])
      .delete()
  }

  /** The id of the oldest message of a channel, or null if it has none. */
  async firstMessageId(scope: OrganizationScope, channelId: number): Promise<number | null> {
    // Uses an index alone: with a condition on the organization of the messages, MariaDB may
    // search the messages of all channels.
    const [row] = await scope.raw<{ first_id: number | null }>(
      `SELECT (SELECT m.id FROM ?? m WHERE m.channel_id = c.id ORDER BY m.id LIMIT 1) AS first_id
       FROM ?? c WHERE c.organization_id = ? AND c.id = ?`,
      [scope.table('messages'), scope.table('channels'), scope.organizationId, channelId],
    )
    return row?.first_id ?? null
  }
}

/** An SQL expression that prepends a change to the stored history. */
function extendedHistory(tx: Transaction, historyItem: EditHistoryItem) {
  const item = JSON.stringify(historyItem)
  return tx.executor.raw(
    `CASE WHEN edit_history IS NULL THEN ?
     WHEN OCTET_LENGTH(edit_history) > ? THEN edit_history
     ELSE ${tx.dialect.sql.concatenated('?', 'SUBSTR(edit_history, 2)')} END`,
    [`[${item}]`, maxMovedHistoryBytes, `[${item},`],
  )
}
