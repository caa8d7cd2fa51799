import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, OrganizationScope } from '../../../storage/index.js'
import { MessageWordRepository } from './message-word-repository.js'
import {
  bytesPerBatch,
  messagesPerBatch,
  prepareWords,
  withWords,
  wordsPerBatch,
  type PreparedWords,
} from './prepared-words.js'
import { ReindexRepository } from './reindex-repository.js'
import { SearchBacklogRepository } from './search-backlog-repository.js'

/** Replaces the words of messages that were edited or deleted, on MySQL. */
@perServer()
export class MessageReindexer {
  /** Words of the last batch of each organization that has more such messages. */
  readonly #prepared = new Map<number, PreparedWords>()

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(MessageWordRepository) private readonly words: MessageWordRepository,
    @inject(ReindexRepository) private readonly reindexes: ReindexRepository,
    @inject(SearchBacklogRepository) private readonly backlogs: SearchBacklogRepository,
  ) {}

  /** The organizations with such messages. */
  async listOrganizations(): Promise<number[]> {
    return this.reindexes.listOrganizations()
  }

  /**
   * Replaces some words of an organization, in a small transaction.
   *
   * @param waits whether to wait for other transactions that change the messages, or other processes
   * that index them.
   * @returns whether there may be more.
   */
  async replaceSome(organizationId: number, waits: boolean): Promise<boolean> {
    const { dialect, tablePrefix } = this.database
    const read = this.database.read(organizationId)
    const ids = await this.reindexes.listNext(read, messagesPerBatch)
    const known = this.#prepared.get(organizationId)
    this.#prepared.delete(organizationId)
    if (ids.length === 0) return false
    const prepared = await prepareWords(
      await this.backlogs.list(read, ids, 'ASC', bytesPerBatch),
      known,
    )
    this.#prepared.set(organizationId, prepared)
    const hasReplaced = await this.database.transaction(async (trx) => {
      const scope = new OrganizationScope(organizationId, trx, dialect, tablePrefix)
      return this.#replace(scope, prepared, waits)
    }, organizationId)
    return hasReplaced || waits
  }

  /** @returns whether anything has changed. */
  async #replace(
    scope: OrganizationScope,
    prepared: PreparedWords,
    waits: boolean,
  ): Promise<boolean> {
    // Otherwise the indexer could just be adding the former words of a message.
    if (!(await this.backlogs.lockIndexer(scope, waits))) return false
    const rows = await this.reindexes.lockNext(scope, messagesPerBatch, waits)
    if (rows.length === 0) return false
    let maxWords = wordsPerBatch
    const uncleared = rows.flatMap((row) => (row.is_cleared ? [] : [row.message_id]))
    if (uncleared.length > 0) {
      maxWords -= await this.words.deleteSome(scope, uncleared, maxWords)
      if (maxWords <= 0) return true
      await this.reindexes.setCleared(scope, uncleared)
    }
    const ids = rows.map(({ message_id }) => message_id)
    // Read under the locks: an edit that commits later finds the message no longer noted.
    const messages = withWords(await this.backlogs.list(scope, ids, 'ASC', bytesPerBatch), prepared)
    const count = await this.words.insertSome(scope, messages, maxWords)
    const existing = new Set(await this.backlogs.existing(scope, ids))
    const deleted = ids.filter((id) => !existing.has(id))
    const done = [...deleted, ...messages.slice(0, count).map(({ id }) => id)]
    await this.reindexes.delete(scope, done)
    return uncleared.length > 0 || done.length > 0 || messages.length > 0
  }
}
