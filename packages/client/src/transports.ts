import type { ChatApi } from './api.js'
import type { AttemptEnd } from './attempt-end.js'
import type { Environment } from './environment.js'
import { PollTransport } from './poll-transport.js'
import { SocketTransport } from './socket-transport.js'
import type { Transport } from './transport.js'

/** After so many WebSockets that did not open, polls are used for some time. */
const maxFailures = 3
const firstPauseMilliseconds = 5 * 60_000
/** After the first one of all, which tells most: usually all open, or none does. */
const earlyPauseMilliseconds = 30_000
const maxPauseMilliseconds = 80 * 60_000

const maxOpeningMilliseconds = 10_000
/** The user waits for the first connection. */
const firstOpeningMilliseconds = 2000

/** Chooses between WebSockets and long polls. */
export class Transports {
  readonly #environment: Pick<Environment, 'now'>
  readonly #poll: Transport
  readonly #socket: Transport | undefined
  #failures = 0
  #hasTried = false
  /** The next pause, after a WebSocket that does not open. */
  #pauseMilliseconds = firstPauseMilliseconds
  /** While it lasts, polls are used. */
  #pause: { readonly since: number; readonly milliseconds: number } | undefined

  constructor(api: ChatApi, url: string, environment: Environment) {
    const { WebSocket } = environment
    this.#environment = environment
    this.#poll = new PollTransport(api, environment)
    this.#socket =
      WebSocket &&
      new SocketTransport(api, url, WebSocket, environment, () => this.#openingMilliseconds)
  }

  /** That of the next attempt. */
  choose(): { readonly transport: Transport; readonly by: 'socket' | 'poll' } {
    return this.#socket === undefined || this.#remaining > 0
      ? { transport: this.#poll, by: 'poll' }
      : { transport: this.#socket, by: 'socket' }
  }

  /** A proxy that does not know WebSockets may never answer. */
  get #openingMilliseconds(): number {
    return this.#hasTried ? maxOpeningMilliseconds : firstOpeningMilliseconds
  }

  /** After how many milliseconds polls must end for WebSockets; undefined if they need not. */
  get pollMilliseconds(): number | undefined {
    const remaining = this.#remaining
    return this.#socket === undefined || remaining === Infinity ? undefined : remaining
  }

  /** Notes how an attempt with a WebSocket has ended. */
  noteSocket(end: AttemptEnd, hasOpened: boolean): void {
    const isFirst = !this.#hasTried
    this.#hasTried = true
    if (end.kind === 'unsupported') this.#pauseFor(Infinity)
    // Some proxies let a WebSocket open, and hold back its messages.
    else if (end.kind === 'lost' && end.isStalled === true) this.#pauseLonger()
    else if (hasOpened) {
      this.#failures = 0
      this.#pause = undefined
      this.#pauseMilliseconds = firstPauseMilliseconds
    } else if (end.kind === 'lost' && isFirst) {
      this.#pauseFor(earlyPauseMilliseconds)
    } else if (end.kind === 'lost') {
      // Proxies that do not know WebSockets let none be opened; so does a bad network, for a while.
      this.#failures += 1
      const isAgain = this.#pause !== undefined
      if (this.#failures < maxFailures && !isAgain) return
      this.#pauseLonger()
    }
  }

  #pauseLonger(): void {
    this.#failures = 0
    this.#pauseFor(this.#pauseMilliseconds)
    this.#pauseMilliseconds = Math.min(2 * this.#pauseMilliseconds, maxPauseMilliseconds)
  }

  #pauseFor(milliseconds: number): void {
    this.#pause = { since: this.#environment.now(), milliseconds }
  }

  get #remaining(): number {
    if (this.#pause === undefined) return 0
    const { since, milliseconds } = this.#pause
    const passed = this.#environment.now() - since
    // Without the second condition, a clock that is set back would extend the pause.
    return passed < milliseconds && passed >= 0 ? milliseconds - passed : 0
  }
}
