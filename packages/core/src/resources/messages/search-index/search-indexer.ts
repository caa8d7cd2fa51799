import { inject } from 'tsyringe'

import type { Clock } from '../../../kernel/clock.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, OrganizationScope } from '../../../storage/index.js'
import { MessageReindexer } from './message-reindexer.js'
import {
  bytesPerBatch,
  messagesPerBatch,
  prepareWords,
  withWords,
  wordsPerBatch,
  type PreparedWords,
} from './prepared-words.js'
import { SearchBacklogRepository } from './search-backlog-repository.js'
import { SearchIndex } from './search-index.js'
import type { SearchableMessage } from './word-index.js'
import { searchBacklogs } from './search-backlogs-table.js'

/** Interval at which messages of other processes, and of earlier ones, are looked for. */
const lookMilliseconds = 30_000
/** The words of deleted messages remain in the files of the database for a day at most. */
const purgeMilliseconds = 24 * 60 * 60 * 1000
const firstPurgeMilliseconds = 10 * 60 * 1000

/**
 * Indexes the messages that were stored without their words, in the order of their ids. A batch is
 * one transaction, which locks the organization's row of `search_backlogs`: two processes never
 * index the same messages, nothing is lost if a process ends, and sends wait at most behind an edit.
 * On MySQL, a message with many words takes several batches; it counts as indexed after the last.
 */
@perServer()
export class SearchIndexer implements BackgroundWork {
  readonly name = 'Indexing messages for searches'
  /** Messages that are stored within a second are indexed together. */
  readonly intervalMilliseconds = 1000
  /** Words of the last batch of each organization that has more messages. */
  readonly #prepared = new Map<number, PreparedWords>()
  #looksAt = 0
  #purgesAt: number

  constructor(
    @inject(SearchIndex) private readonly index: SearchIndex,
    @inject(MessageReindexer) private readonly reindexer: MessageReindexer,
    @inject(SearchBacklogRepository) private readonly backlogs: SearchBacklogRepository,
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
  ) {
    this.#purgesAt = clock.now() + firstPurgeMilliseconds
  }

  async round({ stopping, failed }: Round): Promise<void> {
    const organizations = new Set(this.index.takeWaiting())
    if (this.clock.now() >= this.#looksAt) {
      this.#looksAt = this.clock.now() + lookMilliseconds
      for (const id of await this.backlogs.listOrganizations()) organizations.add(id)
      for (const id of await this.reindexer.listOrganizations()) organizations.add(id)
    }
    // In turns, so that a large organization does not hold up the others.
    while (organizations.size > 0) {
      for (const id of organizations) {
        if (stopping.aborted) return
        const hasMore = await this.#batch(id).catch((error: unknown) => {
          // The next look finds them again.
          failed(error)
          return false
        })
        if (hasMore) continue
        organizations.delete(id)
        this.#prepared.delete(id)
      }
    }
    if (this.clock.now() < this.#purgesAt) return
    this.#purgesAt = this.clock.now() + purgeMilliseconds
    await this.index.purgeAll(stopping)
  }

  /** @returns whether there may be more. */
  async #batch(organizationId: number): Promise<boolean> {
    return (
      (await this.#indexBatch(organizationId)) ||
      (await this.reindexer.replaceSome(organizationId, false))
    )
  }

  async #indexBatch(organizationId: number): Promise<boolean> {
    const { dialect, tablePrefix } = this.database
    const prepared = await this.#prepare(organizationId)
    return this.database.transaction(async (trx) => {
      const scope = new OrganizationScope(organizationId, trx, dialect, tablePrefix)
      await dialect.beginWriting(trx, scope.table('organizations'))
      const indexed = await this.backlogs.lockIfFree(scope)
      // Another process is indexing, or nothing is missing.
      if (indexed === undefined) return false
      // Read under the lock: a move that commits later finds that the message is indexed.
      const messages = await this.backlogs.listNext(scope, indexed, messagesPerBatch, bytesPerBatch)
      const unchanged = withWords(messages, prepared)
      const count = await this.index.words.insertSome(scope, unchanged, wordsPerBatch)
      const isSmall = messages.length < messagesPerBatch && sizeOf(messages) < bytesPerBatch
      const hasMore = count < messages.length || !isSmall
      const last = messages[count - 1]
      // Without a backlog, messages are indexed by the transaction that stores them.
      if (!hasMore && dialect.hasFullTextTables) await this.backlogs.end(scope)
      else if (last !== undefined)
        await scope.rows(searchBacklogs).update({}, { indexed_message_id: last.id })
      return hasMore
    }, organizationId)
  }

  /** Finds the words of the next messages. */
  async #prepare(organizationId: number): Promise<PreparedWords> {
    const scope = this.database.read(organizationId)
    const indexed = await this.backlogs.indexedId(scope)
    const messages =
      indexed === undefined
        ? []
        : await this.backlogs.listNext(scope, indexed, messagesPerBatch, bytesPerBatch)
    const prepared = await prepareWords(messages, this.#prepared.get(organizationId))
    // One that needs several batches is the first of the next one.
    if (prepared.size === 0) this.#prepared.delete(organizationId)
    else this.#prepared.set(organizationId, prepared)
    return prepared
  }
}

function sizeOf(messages: readonly SearchableMessage[]): number {
  let bytes = 0
  for (const { rendered_content } of messages) bytes += Buffer.byteLength(rendered_content)
  return bytes
}
