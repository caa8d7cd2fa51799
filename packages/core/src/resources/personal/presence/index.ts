import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { badRequest } from '../../../errors/index.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { presenceChanged, Presences, SinglePresence } from './presence-events.js'
import { defaultHistoryDays, PresenceReader } from './presence-reader.js'
import { PresenceUpdates } from './presence-updates.js'
import { PresenceUpkeep } from './presence-upkeep.js'

export { ApplicationPresences, type UserPresence } from './application-presences.js'
export { PresenceMemory } from './presence-memory.js'
export { PresenceService } from './presence-service.js'

const ServerTimestamp = Type.Number({ description: 'UNIX seconds with a fraction.' })

const updatePresence = defineOperation({
  id: 'update-presence',
  summary: "Report the caller's presence, and get the presences of other users.",
  method: 'POST',
  path: '/users/me/presence',
  access: 'human',
  isPersonal: true,
  params: {
    status: Bounded.name({ description: '`active` or `idle`.' }),
    ping_only: Type.Boolean({ default: false, description: 'Whether to return no presences.' }),
    new_user_input: Type.Boolean({ default: false, description: 'Only used for statistics.' }),
    last_update_id: Type.Optional(
      Bounded.integer({ description: 'The newest update that the client has, or -1.' }),
    ),
    history_limit_days: Bounded.count({ default: defaultHistoryDays }),
    slim_presence: Type.Boolean({ default: false }),
  },
  response: Type.Object({
    presence_last_update_id: Type.Integer(),
    server_timestamp: Type.Optional(ServerTimestamp),
    presences: Type.Optional(Presences),
  }),
  errors: ['BAD_REQUEST'],
  service: PresenceUpdates,
  async handle(updates, { actor, params }) {
    const { status, last_update_id } = params
    if (status !== 'active' && status !== 'idle')
      throw badRequest('PRESENCE_STATUS_INVALID', { status })
    const isModern = last_update_id !== undefined || params.slim_presence
    return updates.exchange(actor, status, {
      isPing: params.ping_only,
      lastUpdateId: last_update_id,
      historyDays: params.history_limit_days,
      format: isModern ? 'modern' : 'legacy',
    })
  },
})

const getUserPresence = defineOperation({
  id: 'get-user-presence',
  summary: 'Get the presence of a user.',
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  access: 'user',
  params: { user_id_or_email: Bounded.name() },
  response: Type.Object({ presence: SinglePresence }),
  errors: ['BAD_REQUEST'],
  service: PresenceReader,
  async handle(presences, { actor, params }) {
    return { presence: await presences.readOne(actor, params.user_id_or_email) }
  },
})

const getPresence = defineOperation({
  id: 'get-presence',
  summary: 'Get the presences of all users who were online in the last two weeks.',
  method: 'GET',
  path: '/realm/presence',
  access: 'user',
  params: {},
  response: Type.Object({ server_timestamp: ServerTimestamp, presences: Presences }),
  errors: [],
  service: PresenceReader,
  async handle(reader, { actor }) {
    const query = { historyDays: defaultHistoryDays, format: 'legacy' } as const
    const { presences, server_timestamp } = await reader.read(actor, query)
    return { server_timestamp, presences }
  },
})

const presenceSnapshot = defineSnapshot({
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

export const presence = defineResource({
  operations: [updatePresence, getUserPresence, getPresence],
  events: [presenceChanged],
  snapshot: presenceSnapshot,
  backgroundWork: [PresenceUpkeep],
})
