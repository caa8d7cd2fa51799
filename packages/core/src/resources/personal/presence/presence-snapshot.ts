import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { PresenceReader } from './presence-reader.js'
import { Presences } from './presence-schemas.js'

export const presenceSnapshot = defineSnapshot({
  keys: {
    presences: Presences,
    presence_last_update_id: Type.Integer(),
    server_timestamp: Type.Number({ description: 'UNIX seconds.' }),
  },
  fetchType: 'presence',
  service: PresenceReader,
  async load(presences, context) {
    const format = context.queue.slimPresence ? 'modern' : 'legacy'
    const query = { historyDays: context.presenceHistoryDays, format } as const
    return { ...(await presences.read(context.actor, query, context.scope)) }
  },
})
