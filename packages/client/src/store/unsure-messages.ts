import { isTemporary } from '../errors.js'

/** How a list asks the server about messages. */
export interface UnsureRequests {
  /** @throws {ApiError | ConnectionError} if the request fails. */
  request(ids: readonly number[], signal: AbortSignal): Promise<void>
  /** Called with why a request has failed, and with undefined when one has succeeded since. */
  changed(error: unknown): void
}

/** Messages of which the server has to say whether they belong to a list. */
export class UnsureMessages {
  readonly #requests: UnsureRequests
  readonly #ids = new Set<number>()
  #ending = new AbortController()
  #isAsking = false
  #hasFailed = false

  constructor(requests: UnsureRequests) {
    this.#requests = requests
  }

  get size(): number {
    return this.#ids.size
  }

  add(id: number): void {
    this.#ids.add(id)
  }

  /** Forgets them, and ends the request. */
  clear(): void {
    this.#ending.abort()
    this.#ending = new AbortController()
    this.#ids.clear()
    this.#hasFailed = false
  }

  /** Requests them, one request after the other. */
  async ask(): Promise<void> {
    if (this.#isAsking || this.#ids.size === 0) return
    this.#isAsking = true
    const { signal } = this.#ending
    const ids = [...this.#ids]
    this.#ids.clear()
    const error = await this.#errorOf(ids, signal)
    this.#isAsking = false
    if (signal.aborted || error === undefined) {
      await this.ask()
      return
    }
    // There was no answer: they are requested again with those of the next events.
    if (isTemporary(error)) for (const id of ids) this.#ids.add(id)
  }

  async #errorOf(ids: readonly number[], signal: AbortSignal): Promise<unknown> {
    try {
      await this.#requests.request(ids, signal)
      if (this.#hasFailed && !signal.aborted) this.#requests.changed(undefined)
      this.#hasFailed = false
      return undefined
    } catch (error) {
      if (signal.aborted) return undefined
      this.#hasFailed = true
      this.#requests.changed(error)
      return error
    }
  }
}
