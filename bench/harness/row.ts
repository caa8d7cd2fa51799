/** What a ratio should reach, or at most be. */
export type Aim = { readonly atLeast: number } | { readonly atMost: number } | undefined

/** One line of the table: what the floor and we did in each round of one measurement. */
export interface Result {
  readonly name: string
  /** What `floor` and `ours` count, for example `messages/s`. */
  readonly unit: string
  /** One sample a round; `floor[n]` and `ours[n]` were taken one right after the other. */
  readonly floor: readonly number[]
  readonly ours: readonly number[]
  /** Of `ours` divided by `floor`; undefined for lines that only inform. */
  readonly aim: Aim
}

/** A measurement; all of its samples are taken in one run. */
export interface Row {
  /** What the filter of the command line looks at. */
  readonly name: string
  run(): Promise<readonly Result[]>
}
