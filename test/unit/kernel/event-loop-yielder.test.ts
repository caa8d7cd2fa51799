import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, it } from 'node:test'

import {
  EventLoopYielder,
  forEachInSlices,
  withoutYielding,
} from '../../../packages/core/src/kernel/event-loop-yielder.js'

function computeUntilDue(yielder: EventLoopYielder): void {
  while (!yielder.isDue);
}

describe('long work', () => {
  it('shares the ticks of the event loop with other long work', async () => {
    const order: string[] = []
    const state = { isOver: false }
    const work = async (name: string): Promise<void> => {
      const yielder = new EventLoopYielder()
      for (let slice = 0; slice < 3; slice += 1) {
        computeUntilDue(yielder)
        await yielder.yield()
        order.push(name)
      }
    }
    const countTicks = async (): Promise<void> => {
      while (!state.isOver) {
        await setImmediate()
        order.push('tick')
      }
    }

    await Promise.all([
      Promise.all([work('a'), work('b'), work('c')]).finally(() => (state.isOver = true)),
      countTicks(),
    ])

    const slices = order.filter((name) => name !== 'tick')
    const neighbors = order.filter(
      (name, at) => name !== 'tick' && at + 1 < order.length && order[at + 1] !== 'tick',
    )
    assert.deepEqual(slices, ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'])
    assert.deepEqual(neighbors, [])
  })

  it('has no slice of its own in a tick that other work has used up', async () => {
    await setImmediate()
    computeUntilDue(new EventLoopYielder())

    assert.equal(new EventLoopYielder().isDue, true)
  })

  it('yields between items', async () => {
    await setImmediate()
    let hasTicked = false
    const ticked = setImmediate().then(() => (hasTicked = true))
    const seen: number[] = []
    const tickedBefore: boolean[] = []

    await forEachInSlices(Array(500).keys(), (item) => {
      seen.push(item)
      tickedBefore.push(hasTicked)
      if (item === 0) computeUntilDue(new EventLoopYielder())
    })
    await ticked

    assert.deepEqual(seen, [...Array(500).keys()])
    assert.deepEqual([tickedBefore[1], tickedBefore.at(-1)], [false, true])
  })

  it('is not interrupted where it must not be', async () => {
    const yielder = new EventLoopYielder()
    computeUntilDue(yielder)
    let hasTicked = false
    const ticked = setImmediate().then(() => (hasTicked = true))

    await withoutYielding(async () => {
      assert.equal(yielder.isDue, false)
      await yielder.yield()
      assert.equal(hasTicked, false)
    })
    await ticked
  })
})
