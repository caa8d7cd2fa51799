import { wordsOfMessage, type IndexedMessage, type SearchableMessage } from './word-index.js'

/** Maximum numbers of messages, and of bytes of their texts, that a batch reads. */
export const messagesPerBatch = 200
export const bytesPerBatch = 256 * 1024
/**
 * Words that one transaction writes, on MySQL as many rows: small, because on SQLite other writes
 * wait for it, and on MySQL changes of these messages, for which sends wait.
 */
export const wordsPerBatch = 2_000

export type PreparedWords = ReadonlyMap<number, IndexedMessage>

/**
 * Finds the words of the first messages, enough for a batch, before its transaction, which cannot
 * yield on SQLite.
 *
 * @param known the words that were found for the batch before: a long message takes several.
 */
export async function prepareWords(
  messages: readonly SearchableMessage[],
  known: PreparedWords | undefined,
): Promise<PreparedWords> {
  const prepared = new Map<number, IndexedMessage>()
  let count = 0
  for (const message of messages) {
    if (count >= wordsPerBatch) break
    const before = known?.get(message.id)
    const found =
      before !== undefined && isSame(before, message)
        ? before
        : { ...message, words: await wordsOfMessage(message) }
    prepared.set(message.id, found)
    count += found.words.inContent.size + found.words.inTopic.size
  }
  return prepared
}

/** The messages up to the first that was not prepared, or was edited or moved since. */
export function withWords(
  messages: readonly SearchableMessage[],
  prepared: PreparedWords,
): IndexedMessage[] {
  const found: IndexedMessage[] = []
  for (const message of messages) {
    const indexed = prepared.get(message.id)
    if (indexed === undefined || !isSame(indexed, message)) break
    found.push(indexed)
  }
  return found
}

function isSame(one: SearchableMessage, other: SearchableMessage): boolean {
  return one.rendered_content === other.rendered_content && one.topic === other.topic
}
