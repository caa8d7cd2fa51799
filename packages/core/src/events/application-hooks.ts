import type { Logger } from '../kernel/logger.js'
import { entriesOf, keysOf } from '../kernel/objects.js'
import type { LogRecord } from './log-entry.js'

/** The events that `chat.on` reports, after their commit. */
export interface ChatEvents {
  /** A message was sent by this process. */
  message: {
    readonly organizationId: number
    readonly messageId: number
    readonly senderId: number
  }
  /**
   * Any event of any organization was committed by this process; `data` is in the internal format
   * of the event log.
   */
  event: { readonly organizationId: number; readonly kind: string; readonly data: unknown }
}

/** The actions that hooks of `chat.before` may inspect, change or refuse. */
export interface ChatHooks {
  /** A message is about to be sent; return changed parts, or throw a `ChatError` to refuse it. */
  'messages.send': {
    readonly organizationId: number
    readonly userId: number
    readonly type: 'direct' | 'private' | 'channel' | 'stream'
    readonly to: string | undefined
    readonly topic: string | undefined
    readonly content: string
  }
}

export type ChatHook<Name extends keyof ChatHooks> = (
  draft: ChatHooks[Name],
) => Promise<Partial<ChatHooks[Name]> | void> | Partial<ChatHooks[Name]> | void

type Listeners = {
  readonly [Name in keyof ChatEvents]: Set<(event: ChatEvents[Name]) => unknown>
}
type Hooks = { readonly [Name in keyof ChatHooks]: Set<ChatHook<Name>> }

/** The application's listeners and hooks. */
export class ApplicationHooks {
  readonly #listeners: Listeners = { message: new Set(), event: new Set() }
  readonly #hooks: Hooks = { 'messages.send': new Set() }

  constructor(private readonly logger: Logger) {}

  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
  ): () => void {
    requireCall('chat.on', keysOf(this.#listeners), name, listener)
    return add(this.#listeners[name], listener)
  }

  before<Name extends keyof ChatHooks>(name: Name, hook: ChatHook<Name>): () => void {
    requireCall('chat.before', keysOf(this.#hooks), name, hook)
    return add(this.#hooks[name], hook)
  }

  /** Runs the hooks one after the other; each receives the changes of the ones before it. */
  async ask<Name extends keyof ChatHooks>(
    name: Name,
    draft: ChatHooks[Name],
  ): Promise<ChatHooks[Name]> {
    let current = draft
    for (const hook of this.#hooks[name]) {
      const changes = await hook(current)
      if (changes !== undefined) current = { ...current, ...changes }
    }
    return current
  }

  /** Calls the listeners for records that this process has committed. */
  report(organizationId: number, records: readonly LogRecord[]): void {
    if (this.#listeners.event.size + this.#listeners.message.size === 0) return
    for (const { kind, data } of records) {
      if (kind.startsWith('@')) continue
      this.#emit('event', { organizationId, kind, data })
      if (kind !== 'message') continue
      // Only the event of a sent message has this kind.
      const { message } = data as { message: { id: number; sender_id: number } }
      this.#emit('message', { organizationId, messageId: message.id, senderId: message.sender_id })
    }
  }

  close(): void {
    for (const [, listeners] of entriesOf(this.#listeners)) listeners.clear()
    for (const [, hooks] of entriesOf(this.#hooks)) hooks.clear()
  }

  #emit<Name extends keyof ChatEvents>(name: Name, event: ChatEvents[Name]): void {
    // The write is committed already, so the failure of a listener is only logged.
    const onFailure = (cause: unknown): void => {
      this.logger.error('A listener of the application threw', { event: name, err: cause })
    }
    for (const listener of this.#listeners[name]) {
      try {
        const result = listener(event)
        // The promise is not awaited, and an unhandled rejection would end the process.
        if (result instanceof Promise) result.catch(onFailure)
      } catch (cause) {
        onFailure(cause)
      }
    }
  }
}

/** Rejects unknown names, which would otherwise never be called. */
function requireCall(
  place: string,
  names: readonly string[],
  name: unknown,
  callback: unknown,
): void {
  if (typeof name !== 'string' || !names.includes(name)) {
    throw new TypeError(`${place}: there is no '${String(name)}', only ${names.join(', ')}`)
  }
  if (typeof callback !== 'function') throw new TypeError(`${place}: needs a function to call`)
}

function add<Item>(set: Set<Item>, item: Item): () => void {
  set.add(item)
  return () => {
    set.delete(item)
  }
}
