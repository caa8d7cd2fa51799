import type { Clock, Timer } from './clock.js'

/**
 * The result of work that must not take longer than this. The work itself is not ended.
 *
 * @throws the error that `late` returns, after that time.
 */
export async function withinTime<Result>(
  clock: Clock,
  milliseconds: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> {
  let timer: Timer | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(() => reject(late()), milliseconds)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    timer?.cancel()
  }
}
