import type { ChatApi, RegisterQueueParams } from './api.generated.js'
import { endOfError, type AttemptEnd } from './attempt-end.js'
import { Backoff } from './backoff.js'
import { watchClock } from './clock-watch.js'
import type { ConnectionEvents, ConnectionState } from './connection-events.js'
import type { Environment } from './environment.js'
import { ApiError } from './errors.js'
import type { ServerEvent } from './events.generated.js'
import { PollTransport } from './poll-transport.js'
import { SocketTransport } from './socket-transport.js'
import type { Transport, TransportEnd } from './transport.js'

export interface ConnectionOptions {
  readonly url: string
  readonly registration: RegisterQueueParams
}

/** After so many sockets that did not open, polls are used for some time. */
const maxSocketFailures = 3
const socketPauseMilliseconds = 5 * 60_000

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
  readonly #poll: Transport
  readonly #socket: Transport | undefined
  readonly #backoff = new Backoff()
  /** Not begun again, because a function that always fails would register again and again. */
  readonly #failures = new Backoff()
  #state: ConnectionState = { kind: 'closed' }
  #running: Promise<void> | undefined
  #closing = new AbortController()
  #queue: Queue | undefined
  /** Ends when the queues that are no longer needed are deleted. */
  #deletions: Promise<unknown> = Promise.resolve()
  #socketFailures = 0
  #noSocketUntil = 0
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
    this.#poll = new PollTransport(api)
    const { WebSocket } = environment
    this.#socket = WebSocket && new SocketTransport(api, options.url, WebSocket, environment)
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Connects. Nothing happens if it is open. */
  open(): void {
    if (this.#running !== undefined) return
    const closing = new AbortController()
    this.#closing = closing
    this.#running = this.#run(closing.signal)
  }

  /** Tries to connect at once, if it is waiting to do so. */
  retryNow(): void {
    if (!this.#isWaiting) return
    this.#backoff.reset()
    this.#retry()
  }

  /** Disconnects and deletes the queue. Leaves no timer, listener or connection. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    this.#running = undefined
    this.#change({ kind: 'closed' })
    this.#abandon(this.#queue?.id)
    await this.#deletions
  }

  async #run(closing: AbortSignal): Promise<void> {
    const stopListening = this.#environment.onChange((what) => {
      // A connection of the former network is probably dead, even if nobody has noticed yet.
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
    }
  }

  /** One attempt: lasts as long as the connection works. */
  async #attempt(closing: AbortSignal): Promise<AttemptEnd> {
    const attempt = new AbortController()
    const stop = (): void => attempt.abort()
    closing.addEventListener('abort', stop)
    this.#retry = stop
    const transport = this.#transport()
    let hasFailed = false
    try {
      this.#queue ??= await this.#register(attempt.signal)
      const queue = this.#queue
      if (queue === undefined) return { kind: 'failed' }
      const received = (events: readonly ServerEvent[]): void => {
        if (!this.#take(queue, events)) {
          hasFailed = true
          attempt.abort()
          return
        }
        if (this.#state.kind !== 'connected') {
          this.#backoff.reset()
          this.#change({ kind: 'connected', by: transport === this.#socket ? 'socket' : 'poll' })
        }
      }
      const end = await transport.run(queue.id, queue.lastEventId, { received }, attempt.signal)
      if (transport === this.#socket) this.#noteSocket(end)
      return hasFailed ? { kind: 'failed' } : end
    } catch (error) {
      return hasFailed ? { kind: 'failed' } : endOfError(error)
    } finally {
      closing.removeEventListener('abort', stop)
    }
  }

  /** Proxies that do not know WebSockets let none be opened; so does a bad network, for a while. */
  #noteSocket(end: TransportEnd): void {
    this.#socketFailures = end.kind === 'lost' && !end.isOpen ? this.#socketFailures + 1 : 0
    if (this.#socketFailures < maxSocketFailures) return
    this.#socketFailures = 0
    this.#noSocketUntil = this.#environment.now() + socketPauseMilliseconds
  }

  #transport(): Transport {
    const mayUseSocket = this.#environment.now() >= this.#noSocketUntil
    return (mayUseSocket ? this.#socket : undefined) ?? this.#poll
  }

  /** @returns undefined if the application's function has failed. */
  async #register(signal: AbortSignal): Promise<Queue | undefined> {
    const registration = await this.#api.registerQueue(this.#options.registration, { signal })
    const { queue_id, last_event_id } = registration
    if (queue_id === null || last_event_id === undefined) {
      throw new ApiError(401, { code: 'UNAUTHORIZED', msg: 'Visitors get no events' })
    }
    const isTaken = this.#tell(() => this.#events.registered(registration))
    if (isTaken) return { id: queue_id, lastEventId: last_event_id }
    this.#abandon(queue_id)
    return undefined
  }

  /** Deletes a queue that is no longer needed; the server does so itself after some minutes. */
  #abandon(queueId: string | undefined): void {
    this.#queue = undefined
    if (queueId === undefined) return
    const deletion = this.#api.deleteQueue({ queue_id: queueId }).catch(() => {})
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
    return this.#tell(() => this.#events.received(fresh))
  }

  /** Calls a function of the application. @returns whether it has succeeded. */
  #tell(call: () => void): boolean {
    try {
      call()
      return true
    } catch (error) {
      this.#events.failed?.(error)
      return false
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
        this.#change({ kind: 'signedOut', reason: 'The credentials are no longer valid' })
        return false
      case 'refused':
        this.#change({ kind: 'refused', error: end.error })
        return false
      case 'failed':
        this.#abandon(this.#queue?.id)
        this.#change(this.#connecting())
        await this.#pause(this.#failures.next(), closing)
        return true
      case 'unsupported':
        this.#noSocketUntil = Infinity
        return true
      case 'queueGone':
      case 'stopped':
        if (end.kind === 'queueGone') this.#queue = undefined
        this.#change(this.#connecting())
        return true
      case 'lost': {
        this.#change(this.#connecting())
        // A connection that has worked is probably there again at once.
        const delay = end.retryAfterMilliseconds ?? (end.isOpen ? 0 : this.#backoff.next())
        await this.#pause(delay, closing)
        return true
      }
    }
  }

  #pause(milliseconds: number, closing: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#isWaiting = false
        cancel()
        closing.removeEventListener('abort', done)
        resolve()
      }
      const cancel = this.#environment.after(milliseconds, done)
      closing.addEventListener('abort', done)
      this.#isWaiting = true
      this.#retry = done
    })
  }

  #connecting(): ConnectionState {
    const { kind } = this.#state
    const since =
      this.#state.kind === 'connecting'
        ? this.#state.since
        : kind === 'connected'
          ? this.#environment.now()
          : undefined
    return { kind: 'connecting', since, isOffline: this.#environment.isOffline() }
  }

  #change(state: ConnectionState): void {
    this.#state = state
    const by = state.kind === 'connected' ? state.by : undefined
    this.#environment.log({ kind: 'connection', state: state.kind, by })
    this.#tell(() => this.#events.changed(state))
  }
}
