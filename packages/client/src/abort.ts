import { reasonOf } from './errors.js'

/**
 * Calls a function with a signal that is aborted with any of these, and by its controller.
 * `AbortSignal.any` keeps what it has made as long as the oldest of its signals.
 */
export async function withAnySignal<Value>(
  signals: readonly (AbortSignal | undefined)[],
  call: (controller: AbortController) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const stops = signals.flatMap((signal) => {
    if (signal === undefined) return []
    const stop = (): void => controller.abort(signal.reason)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    return [() => signal.removeEventListener('abort', stop)]
  })
  try {
    return await call(controller)
  } finally {
    for (const stop of stops) stop()
  }
}

/** What a promise resolves to. @throws {Error} the signal's reason, if it is aborted before. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(reasonOf(signal))
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
