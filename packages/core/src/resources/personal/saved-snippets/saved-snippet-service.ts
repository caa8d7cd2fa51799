import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { ChatError, namedText } from '../../../errors/index.js'
import { type Clock, nowSeconds } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  type OrganizationScope,
  type Transaction,
  UnitOfWork,
} from '../../../storage/index.js'
import {
  type SavedSnippet,
  savedSnippetAdded,
  savedSnippetRemoved,
  savedSnippetUpdated,
} from './saved-snippet-events.js'
import { type SavedSnippetRow, savedSnippets } from './saved-snippets-table.js'

/** Manages saved snippets. Each belongs to one user. */
@perServer()
export class SavedSnippetService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** All of the actor's snippets, oldest first. */
  async list(
    actor: Actor,
    scope: OrganizationScope = this.database.read(actor.organizationId),
  ): Promise<SavedSnippet[]> {
    const rows = await scope.rows(savedSnippets).list({ user_id: actor.userId }, 'id')
    return rows.map(snippetOf)
  }

  /**
   * @returns the new snippet's id.
   * @throws {ChatError} `BAD_REQUEST` if the actor has too many snippets, or too much text in
   *   them.
   */
  async create(actor: Actor, texts: { title: string; content: string }): Promise<number> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      const row = { ...texts, user_id: actor.userId, created_at_seconds: nowSeconds(this.clock) }
      const id = await tx.rows(savedSnippets).insert(row)
      await this.#requireQuotas(tx, actor)
      const saved_snippet = snippetOf({ ...row, id })
      tx.emit(savedSnippetAdded({ userIds: [actor.userId] }, { saved_snippet }))
      return id
    })
  }

  /**
   * Changes the given texts; does nothing without any.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such snippet.
   * @throws {ChatError} `BAD_REQUEST` if the snippets would be too large together.
   */
  async edit(
    actor: Actor,
    id: number,
    changes: { readonly title?: string; readonly content?: string },
  ): Promise<void> {
    if (Object.keys(changes).length === 0) return
    await this.unitOfWork.runFor(actor, async (tx) => {
      const row = await tx.rows(savedSnippets).lock({ id, user_id: actor.userId })
      if (row === undefined) throw noSuchSnippet()
      await tx.rows(savedSnippets).update({ id }, changes)
      await this.#requireQuotas(tx, actor)
      const saved_snippet = snippetOf({ ...row, ...changes })
      tx.emit(savedSnippetUpdated({ userIds: [actor.userId] }, { saved_snippet }))
    })
  }

  /** @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such snippet. */
  async delete(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const existed = (await tx.rows(savedSnippets).delete({ id, user_id: actor.userId })) > 0
      if (!existed) throw noSuchSnippet()
      tx.emit(savedSnippetRemoved({ userIds: [actor.userId] }, { saved_snippet_id: id }))
    })
  }

  async #requireQuotas(tx: Transaction, { userId }: Actor): Promise<void> {
    const { rows, bytes } = await tx
      .rows(savedSnippets)
      .size({ user_id: userId }, ['content', 'title'])
    this.quotas.require('savedSnippetsPerUser', rows)
    this.quotas.require('textBytesPerList', bytes)
  }
}

function snippetOf(row: Omit<SavedSnippetRow, 'organization_id' | 'user_id'>): SavedSnippet {
  const { id, title, content, created_at_seconds } = row
  return { id, title, content, date_created: created_at_seconds }
}

function noSuchSnippet(): ChatError {
  return new ChatError('OBJECT_NOT_FOUND', { text: namedText('SAVED_SNIPPET_UNKNOWN') })
}
