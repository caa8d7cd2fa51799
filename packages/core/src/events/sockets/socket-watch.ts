import type { WebSocket } from 'ws'

import type { Clock, Timer } from '../../kernel/clock.js'
import { heartbeatDelayMilliseconds } from '../queues/long-poll.js'
import type { SessionCheck } from '../queues/session-check.js'

/** A client needs one acknowledgement for all events that it got. */
const mostAcknowledgements = 100

/** The parts of a connection that a {@link SocketWatch} needs. */
export interface WatchedConnection {
  readonly socket: Pick<WebSocket, 'on' | 'ping' | 'terminate' | 'bufferedAmount'>
  readonly session: SessionCheck | undefined
  readonly heartbeatSeconds: number
  /** How long the client may leave sent events unacknowledged. */
  readonly idleTimeoutSeconds: number
  /** Whether the client is so far behind that its progress is checked already. */
  readonly isPaused: () => boolean
  /** Sends no more until everything has left the process, or until the client times out. */
  readonly pause: () => void
  readonly end: (reason: WatchEnd) => void
}

/** Why a watch ends a connection. */
export type WatchEnd = 'unacknowledged' | 'acknowledgedTooOften' | 'sessionEnded'

/**
 * Checks at every heartbeat interval that the client of a WebSocket still responds, acknowledges
 * events, and is still signed in.
 */
export class SocketWatch {
  #timer: Timer | undefined
  #isPingOpen = false
  #isChecking = false
  #isStopped = false
  /** When the oldest unacknowledged event was sent, in clock milliseconds. */
  #unacknowledgedSince: number | undefined
  /** How often the client has acknowledged since something was sent. */
  #acknowledgements = 0

  constructor(
    private readonly connection: WatchedConnection,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.connection.socket.on('pong', () => {
      this.#isPingOpen = false
    })
    this.#schedule()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  noteSent(): void {
    this.#unacknowledgedSince ??= this.clock.now()
    this.#acknowledgements = 0
  }

  noteAcknowledged(isEverything: boolean): void {
    this.#unacknowledgedSince = isEverything ? undefined : this.clock.now()
    this.#acknowledgements += 1
    if (this.#acknowledgements > mostAcknowledgements) this.connection.end('acknowledgedTooOften')
  }

  #schedule(): void {
    if (this.#isStopped) return
    const delay = heartbeatDelayMilliseconds(this.connection.heartbeatSeconds)
    this.#timer = this.clock.setTimeout(() => this.#look(), delay)
  }

  #look(): void {
    const { idleTimeoutSeconds, end } = this.connection
    const since = this.#unacknowledgedSince
    if (since !== undefined && this.clock.now() - since >= idleTimeoutSeconds * 1000) {
      end('unacknowledged')
      return
    }
    this.#ping()
    void this.#checkSession()
    this.#schedule()
  }

  #ping(): void {
    const { socket, isPaused, pause } = this.connection
    if (!this.#isPingOpen) {
      this.#isPingOpen = true
      socket.ping()
    } else if (isPaused() || socket.bufferedAmount > 0) {
      // The ping may wait behind other bytes. A client that reads some of them is alive.
      this.#isPingOpen = false
      if (!isPaused()) pause()
    } else {
      // A pong that arrived while the process was busy is read before this callback runs.
      setImmediate(() => {
        if (this.#isPingOpen && !this.#isStopped) socket.terminate()
      })
    }
  }

  async #checkSession(): Promise<void> {
    const { session, end } = this.connection
    if (session === undefined || this.#isChecking) return
    this.#isChecking = true
    const refusal = await session.check()
    this.#isChecking = false
    if (refusal !== undefined && !this.#isStopped) end('sessionEnded')
  }
}
