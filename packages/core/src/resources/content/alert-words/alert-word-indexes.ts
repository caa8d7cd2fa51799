import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedUserParts } from '../../../events/log/observed-user-parts.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { AlertWordIndex } from '../../../markdown/index.js'
import { Database } from '../../../storage/index.js'
import { AlertWordRepository } from './alert-word-repository.js'

/** Caches the alert words of all users of an organization as an index for searching messages. */
@perServer()
export class AlertWordIndexes {
  readonly #indexes: ObservedUserParts<AlertWordIndex, readonly string[]>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(AlertWordRepository) private readonly words: AlertWordRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#indexes = new ObservedUserParts(logs, {
      kind: 'alert_words',
      load: (organizationId, userIds) => this.#load(organizationId, userIds),
      create: () => new AlertWordIndex(),
      replace(index, userId, before = [], after = []) {
        for (const word of before) index.remove(userId, word)
        for (const word of after) index.add(userId, word)
      },
    })
  }

  /** The index of one organization. */
  async of(organizationId: number): Promise<AlertWordIndex> {
    return this.#indexes.get(organizationId)
  }

  async #load(
    organizationId: number,
    userIds?: readonly number[],
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    const scope = this.database.read(organizationId)
    const byUser = new Map<number, string[]>()
    for (const { user_id, word } of await this.words.listOfEveryone(scope, userIds)) {
      addTo(byUser, user_id, word)
    }
    return byUser
  }
}
