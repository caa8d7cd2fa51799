export type { ConsumerHandler } from './consumer-batch.js'
export type {
  AnyConsumerOptions,
  ChatConsumer,
  ChatEventName,
  ConsumerContext,
  ConsumerOptions,
  EventContext,
  ParkedEvent,
  SeparateConsumerOptions,
} from './consumer-options.js'
export { PermanentFailure } from './consumer-position.js'
export type { ConsumerState } from './consumer-repository.js'
export { Consumers } from './consumers.js'
export { ParkedEventRepository } from './parked-event-repository.js'
