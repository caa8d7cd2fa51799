import { performance } from 'node:perf_hooks'
// Not the clock of the chat: how long a message takes is a matter of real time.
import { clearTimeout, setTimeout } from 'node:timers'

const intervalMilliseconds = 1000
/** While the start waits for the first one. */
const startIntervalMilliseconds = 50
const maxStartMilliseconds = 2000
/** After this time without a heartbeat, the connection counts as lost. */
const aliveMilliseconds = 2500
/** After so many more, the connections are opened anew. */
const maxMissed = 10

/**
 * Sends a message once a second to this process itself, through the broker. It is alive as long as they
 * arrive in time: that the connections are open says nothing about a server that is stopped, cut
 * off or slow.
 */
export class Heartbeat {
  #timer: NodeJS.Timeout | undefined
  /** When the newest message that has arrived was sent, by a clock that never jumps. */
  #sentAt = Number.NEGATIVE_INFINITY
  #endStart: (() => void) | undefined

  /** How many were sent since one has arrived. */
  #missed = 0

  constructor(private readonly send: (text: string, isLost: boolean) => void) {}

  get isAlive(): boolean {
    return performance.now() - this.#sentAt < aliveMilliseconds
  }

  /** Resolves with the first message that arrives, or after two seconds. */
  async start(): Promise<void> {
    const giveUp = setTimeout(() => this.#endStart?.(), maxStartMilliseconds)
    const starting = new Promise<void>((resolve) => {
      this.#endStart = resolve
    })
    this.#beat()
    await starting
    this.#endStart = undefined
    clearTimeout(giveUp)
  }

  receive(text: string): void {
    const sentAt = Number(text)
    if (sentAt > this.#sentAt && sentAt <= performance.now()) {
      this.#sentAt = sentAt
      this.#missed = 0
    }
    if (this.isAlive) this.#endStart?.()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#sentAt = Number.NEGATIVE_INFINITY
    this.#endStart?.()
  }

  readonly #beat = (): void => {
    const isLost = this.#endStart === undefined && this.#missed >= maxMissed
    this.#missed = isLost ? 0 : this.#missed + 1
    this.send(String(performance.now()), isLost)
    const interval = this.#endStart === undefined ? intervalMilliseconds : startIntervalMilliseconds
    this.#timer = setTimeout(this.#beat, interval)
    this.#timer.unref()
  }
}
