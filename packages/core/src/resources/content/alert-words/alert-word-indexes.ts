import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/followed-logs.js'
import { ObservedCache } from '../../../events/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import { AlertWordIndex } from '../../../markdown/index.js'
import { Database } from '../../../storage/index.js'
import { AlertWordRepository } from './alert-word-repository.js'

/** Caches the alert words of all users of an organization as an index for searching messages. */
@perServer()
export class AlertWordIndexes {
  readonly #indexes: ObservedCache<AlertWordIndex>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(AlertWordRepository) private readonly words: AlertWordRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#indexes = new ObservedCache(
      logs,
      (organizationId) => this.#load(organizationId),
      (kind) => kind === 'alert_words',
    )
  }

  /** The index of one organization. */
  async of(organizationId: number): Promise<AlertWordIndex> {
    return this.#indexes.get(organizationId)
  }

  async #load(organizationId: number): Promise<AlertWordIndex> {
    const rows = await this.words.listOfEveryone(this.database.read(organizationId))
    return new AlertWordIndex(rows.map(({ user_id, word }) => ({ userId: user_id, word })))
  }
}
