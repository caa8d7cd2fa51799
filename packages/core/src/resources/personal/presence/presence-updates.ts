import { inject } from 'tsyringe'

import type { PresenceStatus } from './presence.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { PresenceReader, type PresenceAnswer, type PresenceQuery } from './presence-reader.js'
import { PresenceService } from './presence-service.js'

/** Handles a client's regular ping, which reports its user's presence and reads those of others. */
@perServer()
export class PresenceUpdates {
  constructor(
    @inject(PresenceService) private readonly service: PresenceService,
    @inject(PresenceReader) private readonly reader: PresenceReader,
  ) {}

  /** Stores the actor's status and returns new presences, including the actor's. */
  async exchange(
    actor: Actor,
    status: PresenceStatus,
    query: PresenceQuery & { readonly isPing: boolean },
  ): Promise<PresenceAnswer | Pick<PresenceAnswer, 'presence_last_update_id'>> {
    await this.service.report(actor, status)
    if (query.isPing) return { presence_last_update_id: query.lastUpdateId ?? -1 }
    return this.reader.read(actor, query)
  }
}
