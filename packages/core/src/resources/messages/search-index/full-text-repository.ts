import type { WantedWords } from '../../../domain/texts/search-words.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import type { SqlPart } from '../../channels/message-permissions/index.js'
import {
  allOf,
  wordsOfMessage,
  type IndexedMessage,
  type MessageWords,
  type SearchableMessage,
  type WordIndex,
  type WordSource,
} from './word-index.js'

/** Messages whose contents are in memory at once when many are moved. */
const messagesPerStatement = 200
/** Pages that one step of a purge writes: some milliseconds, in which other writes wait. */
const pagesPerMerge = 50

/**
 * The index for SQLite: an FTS5 table whose row has the id of the message. It stores no texts, so
 * rows can only be replaced as a whole. All organizations share the table; the words contain the
 * organization, so one organization's messages do not slow down the searches of another.
 */
@perServer()
export class FullTextRepository implements WordIndex {
  /** Adds messages, or replaces them. */
  async insert(scope: OrganizationScope, messages: readonly SearchableMessage[]): Promise<void> {
    const indexed: IndexedMessage[] = []
    const yielder = new EventLoopYielder()
    for (const message of messages) {
      if (yielder.isDue) await yielder.yield()
      indexed.push({ ...message, words: await wordsOfMessage(message) })
    }
    await this.#insert(scope, indexed)
  }

  /** A row can only be inserted as a whole. */
  async insertSome(
    scope: OrganizationScope,
    messages: readonly IndexedMessage[],
    maxWords: number,
  ): Promise<number> {
    let count = 0
    let length = 0
    for (const { words } of messages) {
      if (length > 0 && length + sizeOf(words) > maxWords) break
      length += sizeOf(words)
      count += 1
    }
    await this.#insert(scope, messages.slice(0, count))
    return count
  }

  async #insert(scope: OrganizationScope, messages: readonly IndexedMessage[]): Promise<void> {
    if (messages.length === 0) return
    const prefix = prefixOf(scope)
    const rows = messages.map(({ id, words }) => [
      id,
      Array.from(allOf(words), (word) => prefix + word).join(' '),
    ])
    const table = scope.table('message_words')
    await scope.raw(
      `INSERT OR REPLACE INTO ${table} (rowid, words)
       SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
      [JSON.stringify(rows)],
    )
  }

  async retitle(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    for (const ids of chunksOf(messageIds, messagesPerStatement)) {
      const messages = await tx
        .query('messages')
        .whereRaw(`id IN (${idList(ids)})`)
        .select<SearchableMessage[]>('id', 'topic', 'rendered_content')
      await this.insert(tx, messages)
    }
  }

  /** Removes messages. */
  async delete(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const table = tx.table('message_words')
    await tx.raw(`DELETE FROM ${table} WHERE rowid IN (${idList(messageIds)})`, [])
  }

  /**
   * Removes some of the words of deleted and replaced rows from the file: FTS5 only notes that a row
   * is deleted, and its words remain until they are merged with others.
   *
   * @param isFirst whether this is the first step, after which the others continue.
   * @returns whether there is more.
   */
  async purgeSome(scope: OrganizationScope, isFirst: boolean): Promise<boolean> {
    const before = await this.#totalChanges(scope)
    const table = scope.table('message_words')
    // A negative number begins to merge everything, a positive one continues.
    await scope.raw(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, [
      isFirst ? -pagesPerMerge : pagesPerMerge,
    ])
    // As the manual of FTS5 says: less than two changes mean that there was nothing to merge.
    return (await this.#totalChanges(scope)) - before >= 2
  }

  async #totalChanges(scope: OrganizationScope): Promise<number> {
    const [row] = await scope.raw<{ changes: number }>('SELECT total_changes() AS changes', [])
    return row?.changes ?? 0
  }

  conditionSql(scope: OrganizationScope, messageId: string, wanted: WantedWords): SqlPart {
    const table = scope.table('message_words')
    // Evaluated once: a search for each message would read the lists of its words again and again.
    return {
      sql: `${messageId} IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`,
      bindings: [matchOf(scope, wanted)],
    }
  }

  source(scope: OrganizationScope, wanted: WantedWords): WordSource {
    const table = scope.table('message_words')
    return {
      from: `${table} found_word`,
      bindings: [],
      where: { sql: `found_word.${table} MATCH ?`, bindings: [matchOf(scope, wanted)] },
      id: 'found_word.rowid',
    }
  }
}

function sizeOf({ inContent, inTopic }: MessageWords): number {
  return inContent.size + inTopic.size
}

function prefixOf({ organizationId }: OrganizationScope): string {
  return `${organizationId}x`
}

/** Words consist of letters, digits and marks, so none of them needs to be escaped. */
function matchOf(scope: OrganizationScope, { words, beginning }: WantedWords): string {
  const prefix = prefixOf(scope)
  const parts = words.map((word) => `"${prefix}${word}"`)
  if (beginning !== undefined) {
    parts.push(`("${prefix}${beginning.stem}" OR "${prefix}${beginning.form}" *)`)
  }
  return parts.join(' AND ')
}
