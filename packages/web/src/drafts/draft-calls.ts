import { ApiError } from '@parley/client'

/** Prevents that other tabs of this browser do the same. */
export async function locked(call: () => Promise<void>): Promise<void> {
  await ('locks' in navigator ? navigator.locks.request('parley-drafts', call) : call())
}

/** Waits for a change of a draft. @returns false if it was deleted. */
export async function ifThere(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

/** Whether the same call would fail again. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429
}
