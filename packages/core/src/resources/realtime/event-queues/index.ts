import { defineResource } from '../../../resource-definition/resource.js'
import { deleteQueue, getEvents } from './event-queue-operations.js'
import { EventUpkeep } from './event-upkeep.js'
import { QueueUses } from './queue-uses.js'

export { getEvents } from './event-queue-operations.js'
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

export const eventQueues = defineResource({
  operations: [getEvents, deleteQueue],
  backgroundWork: [EventUpkeep, QueueUses],
})
