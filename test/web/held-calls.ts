import type { Route } from 'playwright-core'

import type { TestPage } from './browser.js'

/** Calls of a window that arrive late, or whose answers do. */
export class HeldCalls {
  #held: 'nothing' | 'answers' | 'calls' = 'nothing'
  #release: () => void = () => {}
  #released = Promise.resolve()
  readonly #all = new Set<Promise<void>>()
  /** Whether calls fail; those that are held pass. */
  isOffline = false
  /** How many calls the window has sent. */
  begun = 0
  /** How many calls have reached the server. */
  arrived = 0

  static async of(page: TestPage, url: string | RegExp): Promise<HeldCalls> {
    const calls = new HeldCalls()
    await page.route(url, async (route) => {
      const call = calls.#pass(route)
      calls.#all.add(call)
      await call
      calls.#all.delete(call)
    })
    return calls
  }

  get isHeld(): boolean {
    return this.#held !== 'nothing'
  }

  hold(what: 'answers' | 'calls'): void {
    if (this.#held === 'nothing') {
      this.#released = new Promise((resolve) => (this.#release = resolve))
    }
    this.#held = what
  }

  /** Lets all pass, and waits for the answers to those that were held. */
  async answer(): Promise<void> {
    this.#held = 'nothing'
    this.#release()
    await Promise.all(this.#all)
  }

  async #pass(route: Route): Promise<void> {
    this.begun += 1
    if (this.isOffline) return route.abort('internetdisconnected')
    if (this.#held === 'calls') await this.#released
    try {
      const answer = await route.fetch()
      this.arrived += 1
      if (this.#held === 'answers') await this.#released
      await route.fulfill({ response: answer })
    } catch {
      // The page was left, or the network is away.
    }
  }
}
