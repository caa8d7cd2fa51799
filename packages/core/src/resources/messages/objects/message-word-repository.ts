import { stemsOfHtml, stemsOfText } from '../../../domain/search-words.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'

declare module '../../../storage/tables.js' {
  interface Tables {
    message_words: MessageWordRow
  }
}

/** A word by which searches find a message. */
interface MessageWordRow {
  organization_id: number
  message_id: number
  /** A stem of `domain/search-words`. */
  word: string
  /** Whether the content contains the word; otherwise only the topic does. */
  is_in_content: boolean
}

/** The parts of a message that searches use. */
export interface SearchableMessage {
  readonly id: number
  readonly topic: string
  readonly rendered_content: string
}

/** Maintains the words of messages for searches. */
@perServer()
export class MessageWordRepository {
  /** Stores the words of new messages, in one statement. */
  async insert(tx: Transaction, messages: readonly SearchableMessage[]): Promise<void> {
    const rows = messages.flatMap(({ id, topic, rendered_content }) => {
      const inContent = stemsOfHtml(rendered_content)
      const inTopicOnly = [...stemsOfText(topic)].filter((word) => !inContent.has(word))
      return [
        ...Array.from(inContent, (word) => ({ message_id: id, word, is_in_content: true })),
        ...inTopicOnly.map((word) => ({ message_id: id, word, is_in_content: false })),
      ]
    })
    if (rows.length > 0) await tx.insert('message_words', rows)
  }

  /** Replaces the words of a message. */
  async replace(tx: Transaction, message: SearchableMessage): Promise<void> {
    await this.delete(tx, [message.id])
    await this.insert(tx, [message])
  }

  /** Updates the words of messages that moved from one topic to another. */
  async retitle(
    tx: Transaction,
    messageIds: readonly number[],
    from: string,
    to: string,
  ): Promise<void> {
    const [before, after] = [stemsOfText(from), stemsOfText(to)]
    const gone = [...before].filter((word) => !after.has(word))
    const added = [...after].filter((word) => !before.has(word))
    const ids = messageIds.map(Number).join(',')
    if (gone.length > 0) {
      await tx
        .query('message_words')
        .whereRaw(`message_id IN (${ids})`)
        .where({ is_in_content: false })
        .whereIn('word', gone)
        .delete()
    }
    if (added.length === 0) return
    const [words, messages] = [tx.table('message_words'), tx.table('messages')]
    await tx.raw(
      `INSERT INTO ${words} (organization_id, message_id, word, is_in_content)
       SELECT m.organization_id, m.id, added.word, ?
       FROM ${messages} m
       JOIN (${added.map(() => 'SELECT ? AS word').join(' UNION ALL ')}) added
       LEFT JOIN ${words} k ON k.message_id = m.id AND k.word = added.word
       WHERE m.organization_id = ? AND m.id IN (${ids}) AND k.message_id IS NULL`,
      [false, ...added, tx.organizationId],
    )
  }

  /** Deletes the words of messages. */
  async delete(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx
      .query('message_words')
      .whereRaw(`message_id IN (${messageIds.map(Number).join(',')})`)
      .delete()
  }
}
