/** A pending call of {@link Clock.setTimeout}. */
export interface Timer {
  /** Cancels the call; does nothing if it has already happened. */
  cancel(): void
}

/** The source of the time and of all timers of a chat server, replaceable in tests. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  now(): number

  /**
   * Milliseconds that never go back, by which pauses of the process are noticed.
   *
   * @default none: pauses are not noticed
   */
  monotonicMilliseconds?(): number

  /** Calls `callback` once, `delayMilliseconds` from now. Never keeps the process alive by itself. */
  setTimeout(callback: () => void, delayMilliseconds: number): Timer
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMilliseconds: () => performance.now(),
  setTimeout(callback, delayMilliseconds) {
    const handle = setTimeout(callback, delayMilliseconds)
    handle.unref()
    return { cancel: () => clearTimeout(handle) }
  },
}

/** The clock's time in whole UNIX seconds, the unit of every timestamp on the wire. */
export function nowSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}
