import type { Environment } from './environment.js'

/** A clock that stands still for longer means that the computer has slept. */
const sleepMilliseconds = 15_000
const tickMilliseconds = 5_000
/** Browsers call the timers of a page that has been hidden for a while only once a minute. */
const throttledMilliseconds = 60_000

/** Calls `woken` when the computer wakes up. @returns how to stop that. */
export function watchClock(environment: Environment, woken: () => void): () => void {
  let last = environment.now()
  let wasVisible = true
  let cancel: () => void
  const tick = (): void => {
    const now = environment.now()
    const isVisible = environment.isVisible()
    const usual = wasVisible && isVisible ? tickMilliseconds : throttledMilliseconds
    if (now - last > usual + sleepMilliseconds) woken()
    last = now
    wasVisible = isVisible
    cancel = environment.after(tickMilliseconds, tick)
  }
  cancel = environment.after(tickMilliseconds, tick)
  return () => cancel()
}
