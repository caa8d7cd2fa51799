import type { LoggedAction } from './log.js'
import type { UploadRequestConstructor } from './upload-request.js'

/** The parts of a WebSocket that the client uses. Before Node.js 22, the package `ws` has one. */
export interface SocketLike {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
  send(text: string): void
  close(): void
}

export type SocketConstructor = new (url: string) => SocketLike

/** The functions that the client needs of the page or process that it is in. */
export interface Environment {
  readonly fetch: typeof fetch
  /** Undefined where there is none. */
  readonly WebSocket: SocketConstructor | undefined
  /** Undefined where there is none. */
  readonly XMLHttpRequest: UploadRequestConstructor | undefined
  /** UNIX milliseconds. */
  now(): number
  /** Calls `listener` after some time. @returns how to prevent that. */
  after(milliseconds: number, listener: () => void): () => void
  /** Whether the network is known to be away. */
  isOffline(): boolean
  log(action: LoggedAction): void
  /** Called with an error of a function of the application. */
  report(error: unknown): void
  /** Whether `report` only shows errors; it is an uncaught exception otherwise. */
  readonly showsErrors: boolean
  /** Whether the page can be seen; true where there is no page. */
  isVisible(): boolean
  /**
   * Calls `listener` when the network has come or gone, or when the page is shown or hidden.
   *
   * @returns how to stop that.
   */
  onChange(listener: (what: 'network' | 'shown') => void): () => void
}

type PageListening = (
  name: string,
  listener: (event: { readonly persisted?: boolean }) => void,
  capture: boolean,
) => void

/** The globals of a browser's page, of which Node.js has a part. */
interface Page {
  readonly WebSocket?: SocketConstructor
  readonly XMLHttpRequest?: UploadRequestConstructor
  readonly navigator?: { readonly onLine?: boolean }
  readonly document?: { readonly visibilityState?: string }
  readonly addEventListener?: PageListening
  readonly removeEventListener?: PageListening
  readonly reportError?: (error: unknown) => void
}

const changes = {
  online: 'network',
  offline: 'network',
  pageshow: 'shown',
  visibilitychange: 'shown',
} as const

function rethrow(error: unknown): never {
  throw error
}

/** The page or process in which this runs. */
export function presentEnvironment(): Environment {
  const page: Page = globalThis
  return {
    fetch: (...call) => globalThis.fetch(...call),
    WebSocket: page.WebSocket,
    XMLHttpRequest: page.XMLHttpRequest,
    now: () => Date.now(),
    after(milliseconds, listener) {
      const timer = setTimeout(listener, milliseconds)
      return () => clearTimeout(timer)
    },
    log() {},
    showsErrors: page.reportError !== undefined,
    report(error) {
      if (page.reportError !== undefined) page.reportError(error)
      // As Node.js reports errors of listeners of its own events.
      else queueMicrotask(() => rethrow(error))
    },
    isOffline: () => page.navigator?.onLine === false,
    isVisible: () => page.document?.visibilityState !== 'hidden',
    onChange(listener) {
      const listeners = Object.entries(changes).map(([name, what]) => {
        // It also comes at the end of loading; only a page that was kept is shown again.
        const changed = ({ persisted }: { readonly persisted?: boolean }): void => {
          if (name !== 'pageshow' || persisted === true) listener(what)
        }
        return [name, changed] as const
      })
      for (const [name, changed] of listeners) page.addEventListener?.(name, changed, true)
      return () => {
        for (const [name, changed] of listeners) page.removeEventListener?.(name, changed, true)
      }
    },
  }
}
