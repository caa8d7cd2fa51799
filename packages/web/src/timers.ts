/** The timers and the time of the page; nothing else in this package uses its globals. */

/** Calls `listener` after some time. @returns how to prevent that. */
export function after(milliseconds: number, listener: () => void): () => void {
  const timer = setTimeout(listener, milliseconds)
  return () => clearTimeout(timer)
}

/** UNIX milliseconds. */
export function now(): number {
  return Date.now()
}
