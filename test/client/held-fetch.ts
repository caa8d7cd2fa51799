import { until } from '../support/waiting.js'

/** What is held back: a request before the server has it, or the server's answer to it. */
export type Side = 'request' | 'answer'

interface Hold {
  readonly path: string
  readonly side: Side
  readonly released: Promise<void>
  isReached: boolean
}

/** A `fetch` that holds back chosen calls, and counts all of them. */
export class HeldFetch {
  readonly #paths: string[] = []
  #hold: Hold | undefined
  /** Changes an answer. */
  change: (path: string, answer: Record<string, unknown>) => void = () => {}
  /** Whether calls fail, as without a network. */
  isDown = false

  readonly fetch: typeof fetch = async (address, init) => {
    const path = new URL(address instanceof Request ? address.url : address).pathname.replace(
      '/api/v1',
      '',
    )
    this.#paths.push(path)
    if (this.isDown) throw new TypeError('no network')
    const hold = this.#hold?.path === path ? this.#hold : undefined
    if (hold !== undefined) this.#hold = undefined
    if (hold?.side === 'request') await reached(hold)
    const response = await fetch(address, init)
    if (hold?.side === 'answer') await reached(hold)
    init?.signal?.throwIfAborted()
    if (!String(response.headers.get('content-type')).includes('json')) return response
    const answer: Record<string, unknown> = await response.json()
    this.change(path, answer)
    return Response.json(answer, { status: response.status })
  }

  /** Holds back the next call of a path. @returns how to await that it is made, and release it. */
  hold(path: string, side: Side): { made: () => Promise<void>; release: () => void } {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const hold = { path, side, released, isReached: false }
    this.#hold = hold
    const made = async (): Promise<void> => {
      await until(`a call of ${path}`, () => hold.isReached)
    }
    return { made, release: () => release() }
  }

  count(path: string): number {
    return this.#paths.filter((one) => one === path).length
  }
}

async function reached(hold: Hold): Promise<void> {
  hold.isReached = true
  await hold.released
}
