/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Of the tests that put random faults between a client and a server. */
export const faultSeed = Number(process.env['CHAT_TEST_FAULT_SEED'] ?? 420)
