import { indexedWords, type WantedWords } from '../../../domain/texts/search-words.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import {
  idList,
  type NewRow,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import type { SqlPart } from '../../channels/message-permissions/index.js'
import type { IndexedMessage, MessageWords, WordIndex, WordSource } from './word-index.js'
import type { MessageWordRow } from './message-words-table.js'

/** Where a word is: in the topic alone, or in the content too. */
const places = { topic: 0, content: 1 } as const

/** Building a larger statement would hold up the event loop for more than a few milliseconds. */
const rowsPerStatement = 500

/** The index for servers, whose own full-text indexes ignore short words: a row per word. */
@perServer()
export class MessageWordRepository implements WordIndex {
  /** The words of a message are always inserted in the same order, so their number is enough. */
  async insertSome(
    scope: OrganizationScope,
    messages: readonly IndexedMessage[],
    maxWords: number,
  ): Promise<number> {
    if (messages.length === 0) return 0
    const present = await this.#counts(
      scope,
      messages.map(({ id }) => id),
    )
    const rows: NewRow<MessageWordRow>[] = []
    let count = 0
    for (const { id, words } of messages) {
      const missing = rowsOf(id, words).slice(present.get(id) ?? 0)
      const fitting = missing.slice(0, maxWords - rows.length)
      for (const row of fitting) rows.push(row)
      if (fitting.length < missing.length) break
      count += 1
    }
    await this.#insertRows(scope, rows)
    return count
  }

  async #counts(
    scope: OrganizationScope,
    messageIds: readonly number[],
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await scope
      .query('message_words')
      .whereRaw(`message_id IN (${idList(messageIds)})`)
      .groupBy('message_id')
      .select<{ message_id: number; count: number | string }[]>(
        'message_id',
        scope.executor.raw('COUNT(*) AS count'),
      )
    return new Map(rows.map(({ message_id, count }) => [message_id, Number(count)]))
  }

  async #insertRows(
    scope: OrganizationScope,
    rows: readonly NewRow<MessageWordRow>[],
  ): Promise<void> {
    const yielder = new EventLoopYielder()
    for (const chunk of chunksOf(rows, rowsPerStatement)) {
      if (yielder.isDue) await yielder.yield()
      await insertMissing(scope, chunk)
    }
  }

  async retitle(
    tx: Transaction,
    messageIds: readonly number[],
    from: string,
    to: string,
  ): Promise<void> {
    const [before, after] = [indexedWords(from), indexedWords(to)]
    const gone = [...before].filter((word) => !after.has(word))
    const added = [...after].filter((word) => !before.has(word))
    const ids = idList(messageIds)
    if (gone.length > 0) {
      await tx
        .query('message_words')
        .whereRaw(`message_id IN (${ids})`)
        .where({ place: places.topic })
        .whereIn('word', gone)
        .delete()
    }
    if (added.length === 0) return
    const [words, messages] = [tx.table('message_words'), tx.table('messages')]
    await tx.raw(
      `INSERT INTO ${words} (organization_id, message_id, word, place)
       SELECT m.organization_id, m.id, added.word, ?
       FROM ${messages} m
       CROSS JOIN (${added.map(() => 'SELECT ? AS word').join(' UNION ALL ')}) added
       LEFT JOIN ${words} k ON k.message_id = m.id AND k.word = added.word
       WHERE m.organization_id = ? AND m.id IN (${ids}) AND k.message_id IS NULL`,
      [places.topic, ...added, tx.organizationId],
    )
  }

  /**
   * Removes some of the words of messages.
   *
   * @returns the number of words, which is `maxWords` if there may be more.
   */
  async deleteSome(
    scope: OrganizationScope,
    messageIds: readonly number[],
    maxWords: number,
  ): Promise<number> {
    return scope.dialect.deleteSome(
      scope.executor,
      scope.table('message_words'),
      ['message_id', 'word'],
      {
        sql: `organization_id = ? AND message_id IN (${idList(messageIds)})`,
        values: [scope.organizationId],
      },
      maxWords,
    )
  }

  conditionSql(scope: OrganizationScope, messageId: string, wanted: WantedWords): SqlPart {
    const { sql, bindings } = hasWords(scope, messageId, wanted)
    return { sql: `(${sql})`, bindings }
  }

  /**
   * The messages with the longest word, which is likely to be in the fewest, that have the others.
   * Those are looked up in the index, before a message is read.
   */
  source(scope: OrganizationScope, { words, beginning }: WantedWords): WordSource {
    const table = scope.table('message_words')
    const [longest = '', ...others] = words.toSorted((a, b) => b.length - a.length)
    const id = 'found_word.message_id'
    if (beginning === undefined || beginning.form.length <= longest.length) {
      const rest = hasWords(scope, id, { words: others, beginning })
      return {
        from: `${table} found_word`,
        bindings: [],
        where: {
          sql: `found_word.organization_id = ? AND found_word.word = ? AND ${rest.sql}`,
          bindings: [scope.organizationId, longest, ...rest.bindings],
        },
        id,
      }
    }
    return {
      from: `(SELECT DISTINCT b.message_id FROM ${table} b
        WHERE b.organization_id = ? AND (b.word = ? OR b.word LIKE ?)) found_word`,
      bindings: [scope.organizationId, beginning.stem, `${beginning.form}%`],
      where: hasWords(scope, id, { words, beginning: undefined }),
      id,
    }
  }
}

/** Whether the index has the words of the message, and these among them. */
function hasWords(
  scope: OrganizationScope,
  messageId: string,
  { words, beginning }: WantedWords,
): SqlPart {
  const table = scope.table('message_words')
  const conditions = [isCurrent(scope, messageId)]
  if (words.length > 0) {
    conditions.push(
      `(SELECT COUNT(*) FROM ${table} w WHERE w.message_id = ${messageId}
        AND w.word IN (${words.map(() => '?').join(', ')})) = ${words.length}`,
    )
  }
  if (beginning !== undefined) {
    conditions.push(
      `(SELECT 1 FROM ${table} w WHERE w.message_id = ${messageId}
        AND (w.word = ? OR w.word LIKE ?) LIMIT 1) IS NOT NULL`,
    )
  }
  return {
    sql: conditions.join(' AND '),
    bindings: [
      ...words,
      ...(beginning === undefined ? [] : [beginning.stem, `${beginning.form}%`]),
    ],
  }
}

/** Whether the words in the index are those of the message. */
function isCurrent(scope: OrganizationScope, messageId: string): string {
  return `(SELECT changed.changes FROM ${scope.table('messages_to_reindex')} changed
    WHERE changed.organization_id = ${scope.organizationId}
      AND changed.message_id = ${messageId}) IS NULL`
}

/** Words that are there already, which a former content had too, get the place that is right now. */
async function insertMissing(
  scope: OrganizationScope,
  rows: readonly NewRow<MessageWordRow>[],
): Promise<void> {
  const { organizationId, dialect, executor } = scope
  const scoped = rows.map(({ message_id, word, place }) => ({
    organization_id: organizationId,
    message_id,
    word,
    place,
  }))
  await dialect.upsertRows(executor, scope.table('message_words'), ['message_id', 'word'], scoped)
}

function rowsOf(
  message_id: number,
  { inContent, inTopic }: MessageWords,
): NewRow<MessageWordRow>[] {
  const rows: NewRow<MessageWordRow>[] = Array.from(inContent, (word) => ({
    message_id,
    word,
    place: places.content,
  }))
  for (const word of inTopic) {
    if (!inContent.has(word)) rows.push({ message_id, word, place: places.topic })
  }
  return rows
}
