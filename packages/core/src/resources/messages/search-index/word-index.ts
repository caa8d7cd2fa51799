import { indexedWords, indexHtml, type WantedWords } from '../../../domain/texts/search-words.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { SqlPart } from '../../channels/message-permissions/index.js'

/** The parts of a message that searches use. */
export interface SearchableMessage {
  readonly id: number
  readonly topic: string
  readonly rendered_content: string
}

/** Lists the messages that have all wanted words, in the order of their ids. */
export interface WordSource {
  readonly from: string
  /** The values in `from`. */
  readonly bindings: readonly unknown[]
  readonly where: SqlPart
  /** The column with the id of the message. */
  readonly id: string
}

/** An index of the words of messages; each kind of database has its own. */
export interface WordIndex {
  /**
   * Adds messages in their order, up to a number of words. It may have a part of the words of a
   * message, and get a part of those of the last one.
   *
   * @returns the number of messages that it has with all their words.
   */
  insertSome(
    scope: OrganizationScope,
    messages: readonly IndexedMessage[],
    maxWords: number,
  ): Promise<number>
  /** Updates messages that it has, which were moved from one topic to another. */
  retitle(tx: Transaction, messageIds: readonly number[], from: string, to: string): Promise<void>
  /** Whether a message has the wanted words, at least one; `messageId` is SQL. Never NULL. */
  conditionSql(scope: OrganizationScope, messageId: string, wanted: WantedWords): SqlPart
  /** The messages with the wanted words. */
  source(scope: OrganizationScope, wanted: WantedWords): WordSource
}

/** The words that a message is indexed under. */
export interface MessageWords {
  readonly inContent: ReadonlySet<string>
  readonly inTopic: ReadonlySet<string>
}

/** A message and the words that it is indexed under. */
export interface IndexedMessage extends SearchableMessage {
  readonly words: MessageWords
}

/** Yields to the event loop: a message of 10,000 letters of Chinese takes some 80 ms. */
export async function wordsOfMessage(
  message: Omit<SearchableMessage, 'id'>,
): Promise<MessageWords> {
  const yielder = new EventLoopYielder()
  const steps = indexHtml(message.rendered_content)
  let step = steps.next()
  while (step.done !== true) {
    if (yielder.isDue) await yielder.yield()
    step = steps.next()
  }
  return { inContent: step.value, inTopic: indexedWords(message.topic) }
}

export function allOf({ inContent, inTopic }: MessageWords): ReadonlySet<string> {
  return new Set([...inContent, ...inTopic])
}
