import type { Clock } from './clock.js'

/**
 * Calls a function when a signal is aborted, also if that has happened already.
 *
 * @returns ends the wait for it.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

/**
 * Runs work with a signal that is aborted after this time, and when the server closes. It is
 * aborted from the beginning if the server is closing already.
 *
 * `AbortSignal.any` would keep its signals as long as the server runs.
 */
export async function abortedAfter<Result>(
  clock: Clock,
  milliseconds: number,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const timer = clock.setTimeout(abort, milliseconds)
  const stopListening = onAbort(stopping, abort)
  try {
    return await work(controller.signal)
  } finally {
    timer.cancel()
    stopListening()
  }
}
