import { onAbort } from './abort.js'
import type { ChatApi, RegisterQueueParams } from './api.js'
import { endOfError, type AttemptEnd } from './attempt-end.js'
import { watchClock } from './clock-watch.js'
import type { ConnectionEvents, ConnectionState } from './connection-events.js'
import type { Environment } from './environment.js'
import { ApiError } from './errors.js'
import type { ServerEvent } from '@parley/wire/events'
import { farewellMilliseconds, Pace } from './pace.js'
import { Transports } from './transports.js'

export interface ConnectionOptions {
  readonly url: string
  readonly registration: RegisterQueueParams
}

interface Queue {
  readonly id: string
  lastEventId: number
}

/**
 * Receives the events of one event queue as long as it is open: by a WebSocket, or by long polls
 * where none can be opened. No event is lost or reported twice: a lost connection continues after
 * the last event, and if the server no longer has the queue, its whole state is reported again.
 */
export class Connection {
  readonly #api: ChatApi
  readonly #environment: Environment
  readonly #options: ConnectionOptions
  readonly #events: ConnectionEvents
  readonly #transports: Transports
  readonly #pace: Pace
  #state: ConnectionState = { kind: 'closed' }
  #isOpen = false
  #running: Promise<void> = Promise.resolve()
  #closing = new AbortController()
  /** Ends when the closed connection has ended. */
  #ending: Promise<void> | undefined
  #queue: Queue | undefined
  /** Ends when the queues that are no longer needed are deleted. */
  #deletions: Promise<unknown> = Promise.resolve()
  /** Ends the present attempt or delay, so that the next attempt begins at once. */
  #retry: () => void = () => {}
  #isWaiting = false

  constructor(
    api: ChatApi,
    environment: Environment,
    options: ConnectionOptions,
    events: ConnectionEvents,
  ) {
    this.#api = api
    this.#environment = environment
    this.#options = options
    this.#events = events
    this.#pace = new Pace(environment)
    this.#transports = new Transports(api, options.url, environment)
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Connects, also again after an end such as `signedOut`. Nothing happens if it is open. */
  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    const closing = new AbortController()
    this.#closing = closing
    const run = (): Promise<void> => this.#run(closing.signal)
    this.#running = this.#ending === undefined ? run() : this.#ending.then(run)
  }

  /** Tries to connect at once, if it is waiting to do so. */
  retryNow(): void {
    if (!this.#isWaiting) return
    this.#pace.retryNow()
    this.#retry()
  }

  /**
   * Disconnects and deletes the queue. Leaves no timer, listener or connection. A connection that is
   * opened before that has ended is opened afterwards.
   */
  close(): Promise<void> {
    this.#closing.abort()
    this.#isOpen = false
    const ending = this.#end(this.#running)
    this.#ending = ending
    void ending.then(() => {
      if (this.#ending === ending) this.#ending = undefined
    })
    return ending
  }

  async #end(running: Promise<void>): Promise<void> {
    await running
    if (this.#state.kind !== 'closed') this.#change({ kind: 'closed' })
    this.#abandon(this.#queue?.id)
    await this.#deletions
  }

  async #run(closing: AbortSignal): Promise<void> {
    if (closing.aborted) return
    const stopListening = this.#environment.onChange((what) => {
      // A connection of the former network is probably dead, even if nothing has shown it yet.
      if (what === 'network' || this.#state.kind !== 'connected') this.#retry()
    })
    // After sleep, a connection may be dead that seems to be open.
    const stopWatching = watchClock(this.#environment, () => this.#retry())
    this.#change(this.#connecting())
    try {
      while (!closing.aborted) {
        const end = await this.#attempt(closing)
        this.#environment.log({ kind: 'attempt', end: end.kind })
        if (closing.aborted || !(await this.#mayContinue(end, closing))) return
      }
    } finally {
      stopWatching()
      stopListening()
      if (this.#closing.signal === closing) this.#isOpen = false
    }
  }

  /** One attempt: lasts as long as the connection works. */
  async #attempt(closing: AbortSignal): Promise<AttemptEnd> {
    const attempt = new AbortController()
    const stop = (): void => attempt.abort()
    const stopListening = onAbort(closing, stop)
    this.#retry = stop
    const { transport, by } = this.#transports.choose()
    const isReturning = by === 'socket' && this.#state.kind === 'connected'
    let other: AttemptEnd | undefined
    const endPolls = (): void => {
      other = { kind: 'returning' }
      stop()
    }
    const milliseconds = by === 'poll' ? this.#transports.pollMilliseconds : undefined
    const cancel = milliseconds && this.#environment.after(milliseconds, endPolls)
    this.#pace.begin()
    try {
      this.#queue ??= await this.#register(attempt.signal)
      const queue = this.#queue
      if (queue === undefined) return { kind: 'failed' }
      const received = (events: readonly ServerEvent[]): void => {
        if (!this.#take(queue, events)) {
          other = { kind: 'failed' }
          stop()
          return
        }
        this.#pace.connected(events.length > 0)
        const { state } = this
        if (state.kind !== 'connected' || state.by !== by) this.#change({ kind: 'connected', by })
      }
      const end = await transport.run(queue.id, queue.lastEventId, { received }, attempt.signal)
      const { isConnected } = this.#pace
      if (by === 'socket') this.#transports.noteSocket(end, isConnected)
      const isPolling = isReturning || (by === 'socket' && this.#transports.choose().by === 'poll')
      // Polls go on, or begin at once.
      if (isPolling && end.kind === 'lost' && !isConnected) return { kind: 'returning' }
      return other ?? end
    } catch (error) {
      return other ?? (attempt.signal.aborted ? { kind: 'stopped' } : endOfError(error))
    } finally {
      if (cancel) cancel()
      stopListening()
    }
  }

  /** @returns undefined if the application's function has failed. */
  async #register(signal: AbortSignal): Promise<Queue | undefined> {
    const registration = await this.#api.registerQueue(this.#options.registration, { signal })
    const { queue_id, last_event_id } = registration
    if (queue_id === null || last_event_id === undefined) {
      throw new ApiError(401, { code: 'UNAUTHORIZED', msg: 'Visitors get no events' })
    }
    this.#pace.registered()
    const isTaken = this.#call(() => this.#events.registered(registration))
    if (isTaken) return { id: queue_id, lastEventId: last_event_id }
    this.#abandon(queue_id)
    return undefined
  }

  /** Deletes a queue that is no longer needed; the server does so itself after some minutes. */
  #abandon(queueId: string | undefined): void {
    this.#queue = undefined
    if (queueId === undefined) return
    const signal = AbortSignal.timeout(farewellMilliseconds)
    const deletion = this.#api.deleteQueue({ queue_id: queueId }, { signal }).catch(() => {})
    this.#deletions = Promise.all([this.#deletions, deletion]).then(() => {})
  }

  /**
   * Reports events, without those that had already arrived before a connection was lost.
   *
   * @returns whether the application has taken them.
   */
  #take(queue: Queue, events: readonly ServerEvent[]): boolean {
    const fresh = events.filter(({ id }) => id > queue.lastEventId)
    const [first] = fresh
    const last = fresh.at(-1)
    if (first === undefined || last === undefined) return true
    queue.lastEventId = last.id
    const types = [...new Set(fresh.map(({ type }) => type))]
    this.#environment.log({ kind: 'events', firstId: first.id, lastId: last.id, types })
    return this.#call(() => this.#events.received(fresh))
  }

  /** Calls a function of the application. @returns whether it has succeeded. */
  #call(call: () => void): boolean {
    try {
      call()
      return true
    } catch (error) {
      this.#report(error)
      return false
    }
  }

  #report(error: unknown): void {
    if (this.#events.failed === undefined) {
      this.#environment.report(error)
      return
    }
    try {
      this.#events.failed(error)
    } catch (thrown) {
      this.#environment.report(thrown)
    }
  }

  /** Waits for the next attempt. @returns false if there will be none. */
  async #mayContinue(end: AttemptEnd, closing: AbortSignal): Promise<boolean> {
    switch (end.kind) {
      case 'replaced':
        // It belongs to the other client now.
        this.#queue = undefined
        this.#change({ kind: 'replaced' })
        return false
      case 'signedOut':
        this.#queue = undefined
        this.#change({ kind: 'signedOut', code: end.error.code, reason: end.error.message })
        return false
      case 'refused':
        this.#change({ kind: 'refused', error: end.error })
        return false
      case 'returning':
      case 'unsupported':
        return true
      case 'queueGone':
        this.#queue = undefined
        break
      case 'failed':
        this.#abandon(this.#queue?.id)
        break
      default: // After `expired`, the next request shows whether there are other credentials.
    }
    this.#change(this.#connecting(end.kind === 'lost' ? end.error : undefined))
    const milliseconds = this.#pace.delayAfter(end)
    if (milliseconds > 0) await this.#pause(milliseconds, closing)
    return true
  }

  #pause(milliseconds: number, closing: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let stopListening = (): void => {}
      const done = (): void => {
        this.#isWaiting = false
        cancel()
        stopListening()
        resolve()
      }
      const cancel = this.#environment.after(milliseconds, done)
      this.#isWaiting = true
      this.#retry = done
      stopListening = onAbort(closing, done)
    })
  }

  /** @param error why the last attempt has failed. */
  #connecting(error?: unknown): ConnectionState {
    const { kind } = this.#state
    const since =
      this.#state.kind === 'connecting'
        ? this.#state.since
        : kind === 'connected'
          ? this.#environment.now()
          : undefined
    const isOffline = this.#environment.isOffline()
    return { kind: 'connecting', since, isOffline, ...(error !== undefined && { error }) }
  }

  #change(state: ConnectionState): void {
    this.#state = state
    const by = state.kind === 'connected' ? state.by : undefined
    this.#environment.log({ kind: 'connection', state: state.kind, by })
    this.#call(() => this.#events.changed(state))
  }
}
