import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import {
  Database,
  parseJson,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { DraftCheck } from './draft-check.js'
import {
  draftRemoved,
  draftsAdded,
  draftUpdated,
  type Draft,
  type DraftInput,
} from './draft-events.js'
import { DraftRepository } from './draft-repository.js'
import { drafts, type DraftRow } from './drafts-table.js'

/** Synchronizes users' drafts between their clients, unless a user has disabled this. */
@perServer()
export class DraftService {
  constructor(
    @inject(DraftRepository) private readonly drafts: DraftRepository,
    @inject(DraftCheck) private readonly drafting: DraftCheck,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(Database) private readonly database: Database,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The actor's drafts, the latest edit first.
   *
   * @throws {ChatError} `BAD_REQUEST` if the actor has disabled synchronization.
   */
  async list(actor: Actor): Promise<Draft[]> {
    const scope = this.database.read(actor.organizationId)
    await this.#requireSynchronized(scope, actor)
    return this.listNewest(scope, actor.userId)
  }

  /** Up to `limit` of a user's drafts, the latest edit first. */
  async listNewest(scope: OrganizationScope, userId: number, limit?: number): Promise<Draft[]> {
    return (await this.drafts.list(scope, userId, limit)).map(draftOf)
  }

  /**
   * Stores all drafts or none.
   *
   * @returns their ids, in the same order.
   * @throws {ChatError} `BAD_REQUEST` if one of them cannot be stored, there would be too many
   *   or too much text, or the actor has disabled synchronization.
   */
  async create(actor: Actor, inputs: readonly DraftInput[]): Promise<number[]> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      await this.#requireSynchronized(tx, actor)
      if (inputs.length === 0) return []
      const rows = await this.drafting.check(tx, actor, inputs, (index) => `drafts[${index}]`)
      const ids = await this.drafts.insertOwn(tx, actor.userId, rows)
      await this.#requireQuotas(tx, actor)
      const drafts = rows.map((row, index) =>
        draftOf({ ...row, id: present(ids[index], 'the id of each draft') }),
      )
      tx.emit(draftsAdded({ userIds: [actor.userId] }, { drafts }))
      return ids
    })
  }

  /**
   * Replaces a draft.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such draft.
   * @throws {ChatError} `BAD_REQUEST` if the new one cannot be stored, or the actor has disabled
   *   synchronization.
   */
  async replace(actor: Actor, id: number, input: DraftInput): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      await this.#requireSynchronized(tx, actor)
      if (!(await this.drafts.has(tx, actor.userId, id))) throw noSuchDraft()
      const [row] = await this.drafting.check(tx, actor, [input], () => 'draft')
      if (row === undefined) return
      await tx.rows(drafts).update({ id }, row)
      await this.#requireQuotas(tx, actor)
      tx.emit(draftUpdated({ userIds: [actor.userId] }, { draft: draftOf({ ...row, id }) }))
    })
  }

  /**
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such draft.
   * @throws {ChatError} `BAD_REQUEST` if the actor has disabled synchronization.
   */
  async delete(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      await this.#requireSynchronized(tx, actor)
      if ((await tx.rows(drafts).delete({ id, user_id: actor.userId })) === 0) throw noSuchDraft()
      tx.emit(draftRemoved({ userIds: [actor.userId] }, { draft_id: id }))
    })
  }

  /** Deletes all drafts of a user who disables synchronization; the user's clients keep theirs. */
  async discardAll(tx: Transaction, userId: number): Promise<void> {
    await tx.rows(drafts).delete({ user_id: userId })
  }

  async #requireQuotas(tx: Transaction, { userId }: Actor): Promise<void> {
    const { rows, bytes } = await tx.rows(drafts).size({ user_id: userId }, ['content', 'topic'])
    this.quotas.require('draftsPerUser', rows)
    this.quotas.require('textBytesPerList', bytes)
  }

  async #requireSynchronized(scope: OrganizationScope, actor: Actor): Promise<void> {
    const user = await this.users.require(scope, actor.userId)
    if (parseUserSettings(user.settings).enable_drafts_synchronization) return
    throw badRequest('DRAFTS_DISABLED')
  }
}

function draftOf(row: Omit<DraftRow, 'organization_id' | 'user_id'>): Draft {
  return {
    id: row.id,
    type: row.type,
    to: parseJson(row.recipient_ids),
    topic: row.topic,
    content: row.content,
    timestamp: Math.floor(row.edited_at_seconds),
  }
}

function noSuchDraft(): ChatError {
  return new ChatError('OBJECT_NOT_FOUND', { text: namedText('DRAFT_UNKNOWN') })
}
