import { onAbort } from './abort.js'
import type { ChatApi, Registration } from './api.js'
import { endOfError, type AttemptEnd } from './attempt-end.js'
import type { ConnectionState } from './connection-events.js'
import type { Environment } from './environment.js'
import { Pace } from './pace.js'
import { visitorRegistration } from './store/registered.js'

/** Visitors get no events: the state is requested again after this time. */
const refreshMilliseconds = 120_000

export interface VisitEvents {
  registered(registration: Registration): void
  changed(state: ConnectionState): void
  failed(error: unknown): void
}

/**
 * Reads the state that an organization shows to the whole web, as long as it is open: at once,
 * every two minutes while the page is visible, when it is shown again, and on demand.
 */
export class Visits {
  readonly #api: Pick<ChatApi, 'registerQueue'>
  readonly #environment: Environment
  readonly #events: VisitEvents
  #closing: AbortController | undefined
  #running: Promise<void> = Promise.resolve()
  /** Whether the page was hidden when it was time to read again. */
  #isDue = false
  /** Ends the present delay. */
  #refresh: () => void = () => {}

  constructor(api: Pick<ChatApi, 'registerQueue'>, environment: Environment, events: VisitEvents) {
    this.#api = api
    this.#environment = environment
    this.#events = events
  }

  open(): void {
    // A visit that is being closed is opened again afterwards.
    if (this.#closing?.signal.aborted === false) return
    const closing = new AbortController()
    this.#closing = closing
    this.#running = this.#running.then(() => this.#run(closing))
  }

  /** Reads everything again, unless it is being read. */
  retryNow(): void {
    this.#refresh()
  }

  async close(): Promise<void> {
    this.#closing?.abort()
    await this.#running
  }

  async #run(closing: AbortController): Promise<void> {
    const { signal } = closing
    const stopListening = this.#environment.onChange((what) => {
      if (this.#environment.isVisible() && (this.#isDue || what === 'network')) this.#refresh()
    })
    const pace = new Pace(this.#environment)
    let since: number | undefined
    this.#change(this.#connecting(since))
    while (!signal.aborted) {
      pace.begin()
      const end = await this.#read(signal)
      let milliseconds = refreshMilliseconds
      if (signal.aborted) break
      if (end === undefined) {
        since = undefined
        this.#change({ kind: 'visiting' })
        pace.connected(true)
        pace.retryNow()
      } else if (end.kind === 'signedOut') {
        this.#closing = undefined
        this.#change({ kind: 'signedOut', code: end.error.code, reason: end.error.message })
        break
      } else if (end.kind === 'refused') {
        this.#closing = undefined
        this.#change({ kind: 'refused', error: end.error })
        break
      } else {
        since ??= this.#environment.now()
        this.#change(this.#connecting(since, end.kind === 'lost' ? end.error : undefined))
        milliseconds = pace.delayAfter(end)
      }
      // The application may have closed it, when it got the state.
      if (!signal.aborted) await this.#pause(milliseconds, signal)
    }
    stopListening()
    if (!signal.aborted) return
    if (this.#closing === closing) this.#closing = undefined
    this.#change({ kind: 'closed' })
  }

  /** @returns undefined if it has worked. */
  async #read(signal: AbortSignal): Promise<AttemptEnd | undefined> {
    try {
      const registration = await this.#api.registerQueue(visitorRegistration, { signal })
      if (signal.aborted) return { kind: 'stopped' }
      return this.#call(() => this.#events.registered(registration))
        ? undefined
        : { kind: 'failed' }
    } catch (error) {
      return endOfError(error)
    }
  }

  /** A page that is hidden waits until it is shown. */
  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let stopListening = (): void => {}
      const done = (): void => {
        this.#refresh = () => {}
        this.#isDue = false
        cancel()
        stopListening()
        resolve()
      }
      const cancel = this.#environment.after(milliseconds, () => {
        this.#isDue = true
        if (this.#environment.isVisible()) done()
      })
      this.#refresh = done
      stopListening = onAbort(signal, done)
    })
  }

  #connecting(since: number | undefined, error?: unknown): ConnectionState {
    const isOffline = this.#environment.isOffline()
    return { kind: 'connecting', since, isOffline, ...(error !== undefined && { error }) }
  }

  #change(state: ConnectionState): void {
    this.#environment.log({ kind: 'connection', state: state.kind, by: undefined })
    this.#call(() => this.#events.changed(state))
  }

  /** Calls a function of the application. @returns whether it has succeeded. */
  #call(call: () => void): boolean {
    try {
      call()
      return true
    } catch (error) {
      this.#events.failed(error)
      return false
    }
  }
}
