/**
 * The parts that this package uses of a client that `createClient`, `createCluster` or
 * `createSentinel` of `redis` or `@redis/client` returns.
 */
export interface RedisClient {
  /**
   * Makes a client with the same options, which is not connected yet. Those of a cluster or of
   * sentinels have no such option themselves, and ignore it.
   */
  duplicate(options: ConnectionOptions): RedisConnection
}

interface ConnectionOptions {
  readonly disableOfflineQueue: true
  /** Never set. TypeScript demands an option that all three kinds of client have. */
  readonly RESP?: never
}

/** A connection, or those to a cluster, that belongs to the bus or to the store of rate limits. */
export interface RedisConnection {
  readonly isOpen: boolean
  readonly isReady: boolean
  connect(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Clients of a cluster never emit it. */
  on(event: 'ready', listener: () => void): unknown
  publish(channel: string, text: string): Promise<unknown>
  subscribe(channel: string | string[], listener: RedisListener): Promise<unknown>
  unsubscribe(channel: string, listener: RedisListener): Promise<unknown>
  time(): Promise<unknown>
  evalSha(sha1: string, parameters: ScriptParameters): Promise<unknown>
  eval(script: string, parameters: ScriptParameters): Promise<unknown>
  /** Clients of sentinels return a promise. */
  destroy(): unknown
}

/** Ends a connection; its commands fail. */
export function endConnection(connection: RedisConnection): void {
  if (!connection.isOpen) return
  Promise.resolve(connection.destroy()).catch(() => {
    // It has ended already.
  })
}

interface ScriptParameters {
  readonly keys: string[]
  readonly arguments: string[]
}

/** Gets texts; the types of clients of clusters and sentinels demand that it would take bytes too. */
export type RedisListener = (text: string | Uint8Array, channel: string | Uint8Array) => void
