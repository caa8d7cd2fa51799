import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { PresenceReader } from './presence-reader.js'
import { Presences } from './presence-schemas.js'

/** The keys that the section adds to the response of `POST /register`. */
export const presenceKeys = {
  presences: Presences,
  presence_last_update_id: Type.Integer(),
  server_timestamp: Type.Number({ description: 'UNIX seconds.' }),
}

@perServer()
export class PresenceSection implements SnapshotSection {
  constructor(@inject(PresenceReader) private readonly presences: PresenceReader) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('presence')) return {}
    const format = context.queue.slimPresence ? 'modern' : 'legacy'
    const query = { historyDays: context.presenceHistoryDays, format } as const
    return { ...(await this.presences.read(context.actor, query, context.scope)) }
  }
}
