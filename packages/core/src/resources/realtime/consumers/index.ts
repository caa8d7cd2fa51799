export type { ConsumerHandler } from './consumer-batch.js'
export type {
  ChatConsumer,
  ChatEventName,
  ConsumerContext,
  ConsumerOptions,
  ParkedEvent,
} from './consumer-options.js'
export type { ConsumerState } from './consumer-repository.js'
export { Consumers } from './consumers.js'
export { ParkedEventRepository } from './parked-event-repository.js'
