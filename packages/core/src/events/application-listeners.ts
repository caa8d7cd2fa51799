import type { Logger } from '../kernel/logger.js'
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

type Listener = (event: never) => void

const eventNames = ['message', 'event'] as const satisfies readonly (keyof ChatEvents)[]

/** The application's listeners. */
export class ApplicationListeners {
  readonly #listeners = new Map<string, Set<Listener>>()

  constructor(private readonly logger: Logger) {}

  on<Name extends keyof ChatEvents>(
    name: Name,
    listener: (event: ChatEvents[Name]) => void,
  ): () => void {
    requireCall('chat.on', eventNames, name, listener)
    return add(this.#listeners, name, listener as Listener)
  }

  /** Calls the listeners for records that this process has committed. */
  report(organizationId: number, records: readonly LogRecord[]): void {
    if (this.#listeners.size === 0) return
    for (const { kind, data } of records) {
      if (kind.startsWith('@')) continue
      this.#emit('event', { organizationId, kind, data })
      if (kind !== 'message') continue
      const { message } = data as { message: { id: number; sender_id: number } }
      this.#emit('message', { organizationId, messageId: message.id, senderId: message.sender_id })
    }
  }

  close(): void {
    this.#listeners.clear()
  }

  #emit<Name extends keyof ChatEvents>(name: Name, event: ChatEvents[Name]): void {
    // The write is committed already, so the failure of a listener is only logged.
    const onFailure = (cause: unknown): void => {
      this.logger.error('A listener of the application threw', { event: name, err: cause })
    }
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        const result: unknown = (listener as (event: ChatEvents[Name]) => unknown)(event)
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

function add<Item>(map: Map<string, Set<Item>>, name: string, item: Item): () => void {
  const set = map.get(name) ?? new Set<Item>()
  map.set(name, set)
  set.add(item)
  return () => {
    set.delete(item)
  }
}
