import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork, type TableName, type Transaction } from '../../../storage/index.js'
import { emojiFileKey } from '../../content/emoji/index.js'
import { fileKeysOf } from '../../files/attachments/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import { SearchIndex } from '../../messages/search-index/index.js'
import {
  OrganizationRepository,
  OrganizationService,
} from '../../organization/organizations/index.js'
import { OrganizationDirectory } from './organization-directory.js'
import { OrganizationLifecycle } from './organization-lifecycle.js'
import { OrganizationRowRepository } from './organization-row-repository.js'

const rowsPerBatch = 1000
const messagesPerBatch = 500
const usersPerBatch = 100
const filesPerBatch = 100
/** These are deleted together with the organization: other processes still read them. */
const lastEvents = 500

/** Confirms that an organization is to be deleted. */
export interface DeleteOptions {
  /** The subdomain of the organization. */
  readonly confirm: string
}

const call = 'chat.organizations.delete'

/**
 * Deletes organizations. First, the organization is deactivated, which ends all access in every
 * process. Its rows and files are deleted in small transactions, and its own row in the last one;
 * so an interrupted call can be repeated. Other processes notice that the row is missing.
 */
@perServer()
export class OrganizationDeletion {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OrganizationDirectory) private readonly directory: OrganizationDirectory,
    @inject(OrganizationLifecycle) private readonly lifecycle: OrganizationLifecycle,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(OrganizationService) private readonly states: OrganizationService,
    @inject(OrganizationRowRepository) private readonly rows: OrganizationRowRepository,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
  ) {}

  async delete(reference: string | number, options: DeleteOptions): Promise<void> {
    const { id, subdomain, isDeactivated } = await this.directory.require(call, reference)
    if (options?.confirm !== subdomain) {
      throw new TypeError(`${call}: confirm must be the subdomain of the organization`)
    }
    if (!isDeactivated) await this.lifecycle.deactivateId(id)
    await this.deleteAll(id)
  }

  /** Deletes an organization that is deactivated, or was not imported completely. */
  async deleteAll(id: number): Promise<void> {
    await this.#deleteFiles(id)
    await this.#deleteMessages(id)
    await this.#deleteUsers(id)
    for (const table of this.rows.tablesBy('organization_id')) await this.#empty(id, table, [])
    await this.#repeat(id, (tx) => this.rows.deleteOldEvents(tx, lastEvents, rowsPerBatch))
    await this.unitOfWork.run(id, (tx) => this.#deleteLast(tx))
    this.logs.end(id)
    this.states.forgetNames()
    await this.searchIndex.purge(id)
  }

  async #deleteFiles(id: number): Promise<void> {
    const scope = this.database.read(id)
    let attachments
    do {
      attachments = await this.rows.listAttachments(scope, filesPerBatch)
      for (const row of attachments) await this.#deleteStored(id, fileKeysOf(row))
      const ids = attachments.map((row) => row.id)
      await this.unitOfWork.run(id, (tx) => this.rows.deleteByIds(tx, 'attachments', ids))
    } while (attachments.length > 0)
    const tokens = await this.rows.listEmojiTokens(scope)
    await this.#deleteStored(
      id,
      tokens.map((token) => emojiFileKey(id, token)),
    )
    await this.#deleteStored(id, await this.rows.listExportFiles(scope))
    let unkept
    do {
      unkept = await this.rows.listUnkeptFiles(scope, filesPerBatch)
      await this.#deleteStored(id, unkept)
    } while (unkept.length > 0)
  }

  async #deleteStored(id: number, keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.files.abandon(id, key)
  }

  async #deleteMessages(id: number): Promise<void> {
    const scope = this.database.read(id)
    for (;;) {
      const ids = await this.rows.listIds(scope, 'messages', messagesPerBatch)
      if (ids.length === 0) return
      for (const table of this.rows.tablesBy('message_id')) await this.#empty(id, table, ids)
      await this.unitOfWork.run(id, (tx) => this.#deleteWithWords(tx, ids))
    }
  }

  async #deleteWithWords(tx: Transaction, ids: readonly number[]): Promise<void> {
    await this.searchIndex.delete(tx, ids)
    await this.rows.deleteByIds(tx, 'messages', ids)
  }

  async #deleteUsers(id: number): Promise<void> {
    const scope = this.database.read(id)
    for (;;) {
      const ids = await this.rows.listIds(scope, 'users', usersPerBatch)
      if (ids.length === 0) return
      for (const table of this.rows.tablesBy('user_id')) await this.#empty(id, table, ids)
      await this.unitOfWork.run(id, (tx) => this.rows.deleteByIds(tx, 'users', ids))
    }
  }

  async #empty(id: number, table: TableName, owners: readonly number[]): Promise<void> {
    await this.#repeat(id, (tx) => this.rows.deleteSome(tx, table, owners, rowsPerBatch))
  }

  /** Repeats a step, each time in its own transaction, while there is more to do. */
  async #repeat(id: number, step: (tx: Transaction) => Promise<boolean>): Promise<void> {
    let hasMore = true
    while (hasMore) hasMore = await this.unitOfWork.run(id, step)
  }

  /** Deletes new rows of background work, the rest of the log, and the organization. */
  async #deleteLast(tx: Transaction): Promise<void> {
    for (;;) {
      const ids = await this.rows.listIds(tx, 'messages', messagesPerBatch)
      if (ids.length === 0) break
      await this.#deleteWithWords(tx, ids)
    }
    for (const table of [...this.rows.tablesBy('organization_id'), 'events', 'users'] as const) {
      while (await this.rows.deleteSome(tx, table, [], rowsPerBatch)) {
        // The remaining rows are few.
      }
    }
    await this.organizations.deleteCurrent(tx)
  }
}
