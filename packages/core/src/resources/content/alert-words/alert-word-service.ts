import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import { foldCase, toWellFormed } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { UserRepository } from '../../people/users/index.js'
import { alertWordsChanged } from './alert-word-events.js'
import { alertWords } from './alert-words-table.js'

/** Manages the alert words of users. */
@perServer()
export class AlertWordService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The words of the actor, in alphabetical order. */
  async list(
    actor: Actor,
    scope: OrganizationScope = this.database.read(actor.organizationId),
  ): Promise<string[]> {
    const rows = await scope.rows(alertWords).list({ user_id: actor.userId }, 'word_key')
    return rows.map(({ word }) => word)
  }

  /**
   * Adds alert words. Blank words are dropped; of words that differ only in case, the first is
   * kept.
   *
   * @returns all alert words of the user.
   * @throws {ChatError} `BAD_REQUEST` if the user would have too many.
   */
  async add(actor: Actor, words: readonly string[]): Promise<string[]> {
    const byKey = new Map<string, string>()
    for (const text of words) {
      const word = toWellFormed(text).trim()
      const key = foldCase(word)
      if (word !== '' && !byKey.has(key)) byKey.set(key, word)
    }
    return this.#change(actor, async (tx) => {
      const ofActor = { user_id: actor.userId }
      const stored = await tx.rows(alertWords).list({ ...ofActor, word_key: [...byKey.keys()] })
      const known = new Set(stored.map(({ word_key }) => word_key))
      const rows = [...byKey]
        .filter(([key]) => !known.has(key))
        .map(([word_key, word]) => ({ ...ofActor, word, word_key }))
      const present = await tx.rows(alertWords).count(ofActor)
      this.quotas.require('alertWordsPerUser', present + rows.length)
      await tx.rows(alertWords).insertMany(rows)
    })
  }

  /**
   * Removes alert words. Words that the user does not have are ignored.
   *
   * @returns the remaining words.
   */
  async remove(actor: Actor, words: readonly string[]): Promise<string[]> {
    const keys = words.map((word) => foldCase(toWellFormed(word).trim()))
    return this.#change(actor, (tx) =>
      tx.rows(alertWords).delete({ user_id: actor.userId, word_key: keys }),
    )
  }

  async #change(actor: Actor, change: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      // Each event carries the whole list, so concurrent changes of one user are serialized.
      await this.users.lock(tx, actor.userId)
      await change(tx)
      const alert_words = await this.list(actor, tx)
      tx.emit(alertWordsChanged({ userIds: [actor.userId] }, { alert_words }))
      return alert_words
    })
  }
}
