import { inject } from 'tsyringe'

import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { AlertWordIndex } from '../../../markdown/index.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { SharedValues, type SharedUserParts } from '../../organization/organizations/index.js'
import { alertWordsChanged } from './alert-word-events.js'
import { alertWords } from './alert-words-table.js'

/** Keeps the alert words of all users of an organization as an index for searching messages. */
@perServer()
export class AlertWordIndexes {
  readonly #indexes: SharedUserParts<AlertWordIndex, readonly string[]>

  constructor(@inject(SharedValues) shared: SharedValues) {
    this.#indexes = shared.defineUserParts('alert_words', {
      changedBy: alertWordsChanged,
      load: wordsByUser,
      create: () => new AlertWordIndex(),
      replace(index, userId, before = [], after = []) {
        for (const word of before) index.remove(userId, word)
        for (const word of after) index.add(userId, word)
      },
    })
  }

  /** The index of one organization. */
  async of(organizationId: number): Promise<AlertWordIndex> {
    return this.#indexes.of(organizationId)
  }
}

async function wordsByUser(
  scope: OrganizationScope,
  userIds?: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const byUser = new Map<number, string[]>()
  const ofUsers = userIds === undefined ? {} : { user_id: userIds }
  for (const { user_id, word } of await scope.rows(alertWords).list(ofUsers)) {
    addTo(byUser, user_id, word)
  }
  return byUser
}
