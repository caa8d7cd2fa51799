import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { isGuest } from '../../../domain/users/actor.js'
import { pollBody } from '../../../events/sockets/event-frame.js'
import { defineCommand, defineOperation, SerializedReply } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { EventPolling } from './event-polling.js'
import { EventQueueService } from './event-queue-service.js'
import { EventUpkeep } from './event-upkeep.js'
import { queueOptionsOf, registrationParameters } from './queue-parameters.js'
import { QueueUses } from './queue-uses.js'

export { EventQueueRepository } from './event-queue-repository.js'
export { EventQueueService } from './event-queue-service.js'
export { EventSocketGate, type SocketRequest } from './event-socket-gate.js'
export { EventTexts } from './event-texts.js'
export { QueueEndStepToken, type EndedQueue, type QueueEndStep } from './queue-end-steps.js'
export { isQueueOf } from './queue-id.js'
export { QueueLimit } from './queue-limit.js'
export { QueueRemoval } from './queue-removal.js'
export {
  queueOptionsOf,
  QueueTerm,
  registrationParameters,
  type RegistrationParameters,
} from './queue-parameters.js'
export { sessionsEnded, SignOut } from './sign-out.js'

export const getEvents = defineOperation({
  id: 'get-events',
  summary:
    'Get the events of a queue that are newer than the last one that the client has received.',
  method: 'GET',
  path: '/events',
  access: 'user',
  isPersonal: true,
  params: {
    queue_id: Type.Optional(Bounded.name()),
    last_event_id: Type.Optional(Bounded.integer()),
    dont_block: Type.Boolean({ default: false }),
    ...registrationParameters,
  },
  response: Type.Object({
    events: Type.Array(
      Type.Object(
        { id: Type.Integer(), type: Type.String() },
        { additionalProperties: true, component: 'Event' },
      ),
    ),
    queue_id: Type.String(),
  }),
  // The last three: if the session of a waiting caller has ended.
  errors: [
    'BAD_REQUEST',
    'BAD_EVENT_QUEUE_ID',
    'SESSION_REQUIRED',
    'CALLER_DEACTIVATED',
    'CALLER_REALM_DEACTIVATED',
  ],
  service: EventPolling,
  longPoll: true,
  // It creates or takes over a queue, and discards the events that the client has received.
  changesState: true,
  async handle(polling, { actor, params, request }) {
    const { queue_id, last_event_id, dont_block, ...registration } = params
    const { queueId, events, delayed } = await polling.poll(actor, {
      queueId: queue_id,
      lastEventId: last_event_id,
      dontBlock: dont_block,
      onDisconnect: (listener) => request.onDisconnect(listener),
      session: () => request.session,
      register: () =>
        queueOptionsOf(registration, {
          isGuest: isGuest(actor),
          clientName: request.clientName,
          defaultIdleSeconds: polling.defaultIdleSeconds,
        }),
    })
    return new SerializedReply(pollBody(queueId, events), delayed)
  },
})

const deleteQueue = defineCommand({
  id: 'delete-queue',
  summary: 'Delete an event queue.',
  method: 'DELETE',
  path: '/events',
  access: 'user',
  isPersonal: true,
  params: { queue_id: Bounded.name() },
  errors: ['BAD_EVENT_QUEUE_ID'],
  service: EventQueueService,
  handle: (queues, { actor, params }) => queues.delete(actor, params.queue_id),
})

export const eventQueues = defineResource({
  operations: [getEvents, deleteQueue],
  backgroundWork: [EventUpkeep, QueueUses],
})
