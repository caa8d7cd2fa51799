import { inject } from 'tsyringe'

import { hasWanted, type WantedWords } from '../../../domain/texts/search-words.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, OrganizationScope, type Transaction } from '../../../storage/index.js'
import { FullTextRepository } from './full-text-repository.js'
import { MessageReindexer } from './message-reindexer.js'
import { MessageWordRepository } from './message-word-repository.js'
import { ReindexRepository } from './reindex-repository.js'
import { SearchBacklogRepository } from './search-backlog-repository.js'
import { allOf, wordsOfMessage, type SearchableMessage, type WordIndex } from './word-index.js'

/**
 * Maximum numbers of messages, and of bytes, that a search reads because they are not indexed, and
 * because they were changed since.
 */
const maxUnindexedMessages = 2_000
const maxUnindexedBytes = 8 * 1024 * 1024

/** How far the search index is. */
export interface SearchIndexState {
  /** Number of messages that are not indexed yet, at most 100,000. */
  readonly pendingMessages: number
}

/**
 * The words by which searches find messages. On SQLite, the transaction that stores or changes a
 * message indexes it. On MySQL, where that would take longer than all the rest, {@link SearchIndexer}
 * does so later, and searches read the messages that are not indexed yet.
 */
@perServer()
export class SearchIndex {
  /** How messages are found by words. */
  readonly words: WordIndex
  /** On SQLite. */
  readonly #immediate: FullTextRepository | undefined
  /** The organizations in which this process has stored or changed messages that are not indexed. */
  readonly #waiting = new Set<number>()
  /** Whether words may remain that no message has; at first those of earlier processes. */
  #hasRemains = true

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(FullTextRepository) fullText: FullTextRepository,
    @inject(MessageWordRepository) words: MessageWordRepository,
    @inject(SearchBacklogRepository) private readonly backlogs: SearchBacklogRepository,
    @inject(ReindexRepository) private readonly reindexes: ReindexRepository,
    @inject(MessageReindexer) private readonly reindexer: MessageReindexer,
  ) {
    this.#immediate = database.dialect.hasFullTextTables ? fullText : undefined
    this.words = this.#immediate ?? words
  }

  /**
   * Prepares the index of a new organization.
   *
   * @param hasMessages whether messages will be loaded with it, which are indexed later.
   */
  async begin(tx: Transaction, hasMessages: boolean): Promise<void> {
    if (this.#immediate !== undefined && !hasMessages) return
    await this.backlogs.insert(tx)
    this.#indexLater(tx)
  }

  /** Indexes new messages, now or later. */
  async insert(tx: Transaction, messages: readonly SearchableMessage[]): Promise<void> {
    if (this.#immediate === undefined) this.#indexLater(tx)
    else await this.#immediate.insert(tx, messages)
  }

  /** Replaces the words of a message after an edit. */
  async replace(tx: Transaction, message: SearchableMessage): Promise<void> {
    this.#leavesRemains(tx)
    if (this.#immediate === undefined) await this.#replaceLater(tx, [message.id])
    else await this.#immediate.insert(tx, [message])
  }

  /** Updates the words of messages that were moved from one topic to another. */
  async retitle(
    tx: Transaction,
    messageIds: readonly number[],
    from: string,
    to: string,
  ): Promise<void> {
    if (messageIds.length === 0) return
    this.#leavesRemains(tx)
    const ids = this.#immediate === undefined ? await this.#indexed(tx, messageIds) : messageIds
    if (ids.length > 0) await this.words.retitle(tx, ids, from, to)
  }

  /** Deletes the words of messages. */
  async delete(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    this.#leavesRemains(tx)
    if (this.#immediate === undefined) await this.#replaceLater(tx, messageIds)
    else await this.#immediate.delete(tx, messageIds)
  }

  /**
   * Removes the words of an organization's deleted messages, and of former contents, from the files of
   * the database, in small transactions. They are not found any more, but they can be read in the
   * files.
   */
  async purge(organizationId: number): Promise<void> {
    if (this.#immediate !== undefined) return this.purgeAll()
    while (await this.reindexer.replaceSome(organizationId, true)) {
      // Each is a transaction.
    }
  }

  /** The same for all organizations, on SQLite, where nothing else does it in the background. */
  async purgeAll(stopping?: AbortSignal): Promise<void> {
    const immediate = this.#immediate
    if (immediate === undefined || !this.#hasRemains) return
    this.#hasRemains = false
    try {
      let hasMore = await this.#purgeSome(immediate, true)
      while (hasMore) {
        if (stopping?.aborted === true) return
        hasMore = await this.#purgeSome(immediate, false)
      }
    } catch (error) {
      this.#hasRemains = true
      throw error
    }
  }

  async #purgeSome(immediate: FullTextRepository, isFirst: boolean): Promise<boolean> {
    const { dialect, tablePrefix } = this.database
    return this.database.transaction(async (trx) => {
      await dialect.beginWriting(trx, this.database.table('organizations'))
      return immediate.purgeSome(new OrganizationScope(0, trx, dialect, tablePrefix), isFirst)
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
    for (const message of await this.#listUnindexed(scope)) {
      const words = allOf(await wordsOfMessage(message))
      for (const [index, wanted] of searches.entries()) {
        if (hasWanted(words, wanted)) found[index]?.push(message.id)
      }
    }
    return found
  }

  async #listUnindexed(scope: OrganizationScope): Promise<SearchableMessage[]> {
    const limits = [maxUnindexedMessages, maxUnindexedBytes] as const
    const newest = await this.backlogs.listNewest(scope, ...limits)
    if (this.#immediate !== undefined) return newest
    const ids = await this.reindexes.listNewest(scope, maxUnindexedMessages)
    if (ids.length === 0) return newest
    const changed = await this.backlogs.list(scope, ids, 'DESC', maxUnindexedBytes)
    return [...new Map([...newest, ...changed].map((message) => [message.id, message])).values()]
  }

  async state(): Promise<SearchIndexState> {
    return { pendingMessages: await this.backlogs.countPending() }
  }

  /** For the indexer: the organizations with stored or changed messages since the last call. */
  takeWaiting(): number[] {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    return waiting
  }

  #indexLater(tx: Transaction): void {
    tx.afterCommit(() => this.#waiting.add(tx.organizationId))
  }

  async #replaceLater(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await this.reindexes.insert(tx, messageIds)
    this.#indexLater(tx)
  }

  #leavesRemains(tx: Transaction): void {
    tx.afterCommit(() => {
      this.#hasRemains = true
    })
  }

  /**
   * Those of the messages that are indexed. The others get their words from the indexer, which
   * waits for the end of the transaction, and indexes one of which it has indexed a part once more.
   */
  async #indexed(tx: Transaction, messageIds: readonly number[]): Promise<readonly number[]> {
    const last = (await this.backlogs.lock(tx)) ?? 0
    const others = messageIds.filter((id) => id > last)
    if (others.length > 0) await this.#replaceLater(tx, await this.backlogs.partial(tx, others))
    const ids = messageIds.filter((id) => id <= last)
    if (ids.length > 0) await this.reindexes.renew(tx, ids)
    return ids
  }
}
