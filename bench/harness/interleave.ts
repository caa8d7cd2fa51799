/** What one side did in one round, by the name of what was measured. */
export type Sample = Readonly<Record<string, number>>

export interface Rounds {
  readonly floor: readonly Sample[]
  readonly ours: readonly Sample[]
}

/** How many rounds are measured; one more is thrown away first. */
export const usualRounds = 5

/**
 * Measures two sides in turn: floor, ours, ours, floor, floor … so that whatever else the machine
 * does meets both alike. The first round warms up and is thrown away.
 */
export async function interleave(
  floor: () => Promise<Sample>,
  ours: () => Promise<Sample>,
  rounds = usualRounds,
): Promise<Rounds> {
  await floor()
  await ours()
  const samples: { floor: Sample[]; ours: Sample[] } = { floor: [], ours: [] }
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      samples.floor.push(await floor())
      samples.ours.push(await ours())
    } else {
      samples.ours.push(await ours())
      samples.floor.push(await floor())
    }
  }
  return samples
}

/** The samples of one name. */
export function series(samples: readonly Sample[], name: string): readonly number[] {
  return samples.map((sample) => {
    const value = sample[name]
    if (value === undefined) throw new Error(`Nothing was measured as ${name}`)
    return value
  })
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that the given share of `values` does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  const value = sorted[index]
  if (value === undefined) throw new Error('There is nothing to take a quantile of')
  return value
}
