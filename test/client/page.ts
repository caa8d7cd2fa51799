import type { SocketConstructor } from '@parley/client'
import { WebSocket } from 'ws'

import { presentEnvironment, type Environment } from '../../packages/client/src/environment.js'

/** A page whose time passes only when a test says so. */
export class Page {
  offline = false
  hidden = false
  #now = 1_000_000
  readonly #timers = new Set<{ readonly at: number; readonly listener: () => void }>()
  readonly #listeners = new Set<(what: 'network' | 'shown') => void>()

  readonly environment: Environment = {
    ...presentEnvironment(),
    // The client uses a part of what it has.
    WebSocket: WebSocket as unknown as SocketConstructor,
    now: () => this.#now,
    after: (milliseconds, listener) => {
      const timer = { at: this.#now + milliseconds, listener }
      this.#timers.add(timer)
      return () => void this.#timers.delete(timer)
    },
    isOffline: () => this.offline,
    isVisible: () => !this.hidden,
    onChange: (listener) => {
      this.#listeners.add(listener)
      return () => void this.#listeners.delete(listener)
    },
  }

  get timers(): number {
    return this.#timers.size
  }

  change(what: 'network' | 'shown'): void {
    for (const listener of this.#listeners) listener(what)
  }

  /** Lets time pass second by second. */
  passSlowly(milliseconds: number): void {
    for (let rest = milliseconds; rest > 0; rest -= 1000) this.pass(Math.min(rest, 1000))
  }

  /** Lets time pass as in a computer that sleeps meanwhile, and calls what is due by then. */
  pass(milliseconds: number): void {
    this.#now += milliseconds
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue
      this.#timers.delete(timer)
      timer.listener()
    }
  }
}
