import { reasonOf } from './errors.js'

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
 * Calls a function with a signal that is aborted with any of these, and by its controller.
 * `AbortSignal.any` keeps the signal that it makes as long as the oldest of its signals.
 */
export async function withAnySignal<Value>(
  signals: readonly (AbortSignal | undefined)[],
  call: (controller: AbortController) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const removals = signals.flatMap((signal) =>
    signal === undefined ? [] : [onAbort(signal, () => controller.abort(signal.reason))],
  )
  try {
    return await call(controller)
  } finally {
    for (const remove of removals) remove()
  }
}

/** The value of a promise. @throws {Error} the signal's reason, if it is aborted before. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(reasonOf(signal)))
    promise.then(resolve, reject).finally(stopListening)
  })
}
