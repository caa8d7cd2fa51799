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

type Listeners = {
  readonly [Name in keyof ChatEvents]: Set<(event: ChatEvents[Name]) => unknown>
}

/** The application's listeners. */
export class ApplicationListeners {
  readonly #listeners: Listeners = { message: new Set(), event: new Set() }

  constructor(private readonly logger: Logger) {}

  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
  ): () => void {
    requireCall('chat.on', keysOf(this.#listeners), name, listener)
    return add(this.#listeners[name], listener)
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
