import { inject } from 'tsyringe'

import { hasWanted, type WantedWords } from '../../../domain/texts/search-words.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, OrganizationScope, type Transaction } from '../../../storage/index.js'
import { FullTextRepository } from './full-text-repository.js'
import { MessageWordRepository } from './message-word-repository.js'
import { SearchBacklogRepository } from './search-backlog-repository.js'
import { allOf, wordsOfMessage, type SearchableMessage, type WordIndex } from './word-index.js'

/** Maximum numbers of messages, and of bytes, that a search reads because they are not indexed. */
const maxUnindexedMessages = 2_000
const maxUnindexedBytes = 8 * 1024 * 1024

/** How far the search index is. */
export interface SearchIndexState {
  /** Number of messages that are not indexed yet, at most 100,000. */
  readonly pendingMessages: number
}

/**
 * The words by which searches find messages. On SQLite, the transaction that stores a message
 * indexes it. On MySQL, where that would take longer than all the rest, {@link SearchIndexer} does
 * so later, and searches read the messages that are not indexed yet.
 */
@perServer()
export class SearchIndex {
  /** How messages are found by words. */
  readonly words: WordIndex
  readonly #isImmediate: boolean
  /** The organizations in which this process has stored messages that are not indexed. */
  readonly #waiting = new Set<number>()
  /** Whether words may remain that no message has; at first those of earlier processes. */
  #hasRemains = true

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(FullTextRepository) fullText: FullTextRepository,
    @inject(MessageWordRepository) words: MessageWordRepository,
    @inject(SearchBacklogRepository) private readonly backlogs: SearchBacklogRepository,
  ) {
    this.#isImmediate = database.dialect.hasFullTextTables
    this.words = this.#isImmediate ? fullText : words
  }

  /**
   * Prepares the index of a new organization.
   *
   * @param hasMessages whether messages will be loaded with it, which are indexed later.
   */
  async begin(tx: Transaction, hasMessages: boolean): Promise<void> {
    if (this.#isImmediate && !hasMessages) return
    await this.backlogs.insert(tx)
    this.#indexLater(tx)
  }

  /** Indexes new messages, now or later. */
  async insert(tx: Transaction, messages: readonly SearchableMessage[]): Promise<void> {
    if (this.#isImmediate) await this.words.insert(tx, messages)
    else this.#indexLater(tx)
  }

  /** Replaces the words of a message after an edit. */
  async replace(tx: Transaction, message: SearchableMessage): Promise<void> {
    const [id] = await this.#indexed(tx, [message.id])
    if (id !== undefined) await this.words.replace(tx, message)
  }

  /** Updates the words of messages that were moved from one topic to another. */
  async retitle(
    tx: Transaction,
    messageIds: readonly number[],
    from: string,
    to: string,
  ): Promise<void> {
    const ids = await this.#indexed(tx, messageIds)
    if (ids.length > 0) await this.words.retitle(tx, ids, from, to)
  }

  /** Deletes the words of messages. */
  async delete(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const ids = await this.#indexed(tx, messageIds)
    if (ids.length > 0) await this.words.delete(tx, ids)
  }

  /**
   * Removes the words of deleted messages and of former contents from the files of the database, in
   * small transactions. They are not found any more, but they can be read in the files.
   */
  async purge(stopping?: AbortSignal): Promise<void> {
    if (!this.#hasRemains) return
    this.#hasRemains = false
    try {
      let hasMore = await this.#purgeSome(true)
      while (hasMore) {
        if (stopping?.aborted === true) return
        hasMore = await this.#purgeSome(false)
      }
    } catch (error) {
      this.#hasRemains = true
      throw error
    }
  }

  async #purgeSome(isFirst: boolean): Promise<boolean> {
    const { dialect, tablePrefix } = this.database
    return this.database.transaction(async (trx) => {
      await dialect.beginWriting(trx, this.database.table('organizations'))
      return this.words.purgeSome(new OrganizationScope(0, trx, dialect, tablePrefix), isFirst)
    })
  }

  /**
   * The messages that are not indexed yet and have the wanted words, for each search: the newest
   * 2,000 are read. Older ones are not found before they are indexed.
   */
  async findUnindexed(
    scope: OrganizationScope,
    searches: readonly WantedWords[],
  ): Promise<number[][]> {
    const found: number[][] = searches.map(() => [])
    const newest = await this.backlogs.listNewest(scope, maxUnindexedMessages, maxUnindexedBytes)
    for (const message of newest) {
      const words = allOf(await wordsOfMessage(message))
      for (const [index, wanted] of searches.entries()) {
        if (hasWanted(words, wanted)) found[index]?.push(message.id)
      }
    }
    return found
  }

  async state(): Promise<SearchIndexState> {
    return { pendingMessages: await this.backlogs.countPending() }
  }

  /** For the indexer: the organizations in which messages were stored since the last call. */
  takeWaiting(): number[] {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    return waiting
  }

  #indexLater(tx: Transaction): void {
    tx.afterCommit(() => this.#waiting.add(tx.organizationId))
  }

  /**
   * Those of the messages that are indexed. The others get their words from the indexer, which
   * waits for the end of the transaction. It begins anew with one that it has indexed in part.
   */
  async #indexed(tx: Transaction, messageIds: readonly number[]): Promise<readonly number[]> {
    tx.afterCommit(() => {
      this.#hasRemains = true
    })
    // A message that the indexer has not reached may be indexed on SQLite; it is replaced later.
    if (this.#isImmediate || messageIds.length === 0) return messageIds
    const last = (await this.backlogs.lock(tx)) ?? 0
    const others = messageIds.filter((id) => id > last)
    if (others.length > 0) await this.words.delete(tx, others)
    return messageIds.filter((id) => id <= last)
  }
}
