import { AsyncLocalStorage } from 'node:async_hooks'

const sliceMilliseconds = 5

const uninterrupted = new AsyncLocalStorage<true>()

/** Runs `work` so that no {@link EventLoopYielder} in it yields. */
export function withoutYielding<Result>(work: () => Promise<Result>): Promise<Result> {
  return uninterrupted.run(true, work)
}

/**
 * The tick of the event loop, which all long work of the process shares: if each had a slice of its
 * own, many slices would follow one another before the event loop gets to anything else.
 */
const tick: { sliceEndsAt: number | undefined } = { sliceEndsAt: undefined }

/** Long work that has yielded, in the order in which it will go on: one in each tick. */
const waiting: (() => void)[] = []

function beginSlice(): number {
  setImmediate(endTick)
  return performance.now() + sliceMilliseconds
}

function endTick(): void {
  tick.sliceEndsAt = undefined
  const next = waiting.shift()
  if (next === undefined) return
  tick.sliceEndsAt = beginSlice()
  next()
}

/** Lets long work yield to the event loop when the slice of all such work is over. */
export class EventLoopYielder {
  /** Whether the slice of this tick is over, and {@link yield} should be called. */
  get isDue(): boolean {
    tick.sliceEndsAt ??= beginSlice()
    return performance.now() >= tick.sliceEndsAt && uninterrupted.getStore() === undefined
  }

  /** Yields to the event loop until this work may go on. */
  async yield(): Promise<void> {
    if (uninterrupted.getStore() !== undefined) return
    tick.sliceEndsAt ??= beginSlice()
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

/** Looking at the clock takes longer than most items. */
const itemsPerCheck = 200

/** Calls `work` for each item, and yields to the event loop in between. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
): Promise<void> {
  const yielder = new EventLoopYielder()
  let untilCheck = itemsPerCheck
  for (const item of items) {
    work(item)
    untilCheck -= 1
    if (untilCheck > 0) continue
    untilCheck = itemsPerCheck
    if (yielder.isDue) await yielder.yield()
  }
}

/** The items for which `keeps` is true; yields to the event loop in between. */
export async function filterInSlices<Item>(
  items: Iterable<Item>,
  keeps: (item: Item) => boolean,
): Promise<Item[]> {
  const kept: Item[] = []
  await forEachInSlices(items, (item) => {
    if (keeps(item)) kept.push(item)
  })
  return kept
}

/** All items of some lists, each once; yields to the event loop in between. */
export async function setInSlices<Item>(
  ...lists: readonly Iterable<Item>[]
): Promise<ReadonlySet<Item>> {
  const all = new Set<Item>()
  for (const list of lists) await forEachInSlices(list, (item) => all.add(item))
  return all
}
