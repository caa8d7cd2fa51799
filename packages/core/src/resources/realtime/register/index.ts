import { Type } from 'typebox'

import { isGuest, isSpectator } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { queueOptionsOf, registrationParameters } from '../event-queues/index.js'
import { RegisterService } from './register-service.js'
import { registrationKeys } from './registration-schema.js'
import { unsupportedSnapshot } from './unsupported-snapshot.js'

export { registrationSchema } from './registration-schema.js'

const registerQueue = defineOperation({
  id: 'register-queue',
  summary: 'Register an event queue and get the state that its events continue.',
  method: 'POST',
  path: '/register',
  access: 'userOrSpectator',
  isPersonal: true,
  isCompressed: true,
  params: registrationParameters,
  clientParameters: {
    client_gravatar: false,
    narrow: undefined,
    all_public_streams: undefined,
    queue_lifespan_secs: undefined,
  },
  // Only the tests of registrations validate against the component, because it takes a second to
  // compile.
  response: Type.Object(registrationKeys, {
    additionalProperties: true,
    component: 'Registration',
  }),
  errors: ['BAD_REQUEST'],
  service: RegisterService,
  async handle(register, { actor, params, request }) {
    if (isSpectator(actor)) requireSpectatorParameters(params)
    const { fetch_event_types, presence_history_limit_days } = params
    const queue = queueOptionsOf(isSpectator(actor) ? spectatorQueue : params, {
      isGuest: isGuest(actor),
      clientName: request.clientName,
      defaultIdleSeconds: register.defaultIdleSeconds,
    })
    return register.register(actor, queue, {
      fetchTypes: fetch_event_types ?? params.event_types ?? null,
      includeSubscribers: params.include_subscribers ?? 'false',
      presenceHistoryDays: presence_history_limit_days ?? 14,
      chatUrl: request.chatUrl,
    })
  },
})

/** Capabilities do not change what spectators get. */
const spectatorQueue = { client_gravatar: false }

/** @throws {ChatError} `BAD_REQUEST` for parameters that spectators cannot use. */
function requireSpectatorParameters(params: {
  client_gravatar?: boolean | null
  include_subscribers?: string
}): void {
  const refused = (name: string) => badRequest('PARAMETER_NOT_ANONYMOUS', { parameter: name })
  if (params.client_gravatar === true) throw refused('client_gravatar')
  if ((params.include_subscribers ?? 'false') !== 'false') throw refused('include_subscribers')
}

export const register = defineResource({
  operations: [registerQueue],
  snapshot: unsupportedSnapshot,
})
