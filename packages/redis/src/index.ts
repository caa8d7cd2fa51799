export { createRedisBus, type RedisBusOptions } from './redis-event-bus.js'
export {
  createRedisRateLimitStore,
  type RedisRateLimitStoreOptions,
} from './redis-rate-limit-store.js'
export type { RedisClient, RedisConnection, RedisListener } from './redis-client.js'
