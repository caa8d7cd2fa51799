import type { Environment } from './environment.js'

/** A clock that stands still for longer means that the computer has slept. */
const sleepMilliseconds = 15_000
const tickMilliseconds = 5_000

/** Calls `woken` when the computer wakes up. @returns how to stop that. */
export function watchClock(environment: Environment, woken: () => void): () => void {
  let last = environment.now()
  let cancel: () => void
  const tick = (): void => {
    const now = environment.now()
    if (now - last > tickMilliseconds + sleepMilliseconds) woken()
    last = now
    cancel = environment.after(tickMilliseconds, tick)
  }
  cancel = environment.after(tickMilliseconds, tick)
  return () => cancel()
}
