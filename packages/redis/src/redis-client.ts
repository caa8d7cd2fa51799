/**
 * What this package uses of a client that `createClient` of `redis` or `@redis/client` (5 or newer)
 * returns.
 */
export interface RedisClient {
  /** Makes a client with the same options and these, which is not connected yet. */
  duplicate(options: { disableOfflineQueue: true; commandsQueueMaxLength: number }): RedisConnection
}

/** A connection that belongs to the bus, or to the store of rate limits. */
export interface RedisConnection {
  readonly isOpen: boolean
  readonly isReady: boolean
  connect(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'ready', listener: () => void): unknown
  publish(channel: string, text: string): Promise<unknown>
  subscribe(channel: string | string[], listener: RedisListener): Promise<unknown>
  unsubscribe(channel: string, listener: RedisListener): Promise<unknown>
  time(): Promise<unknown>
  evalSha(sha1: string, parameters: ScriptParameters): Promise<unknown>
  eval(script: string, parameters: ScriptParameters): Promise<unknown>
  destroy(): void
}

interface ScriptParameters {
  readonly keys: string[]
  readonly arguments: string[]
}

export type RedisListener = (text: string, channel: string) => void
