import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { BoundedWork } from '../../../packages/core/src/kernel/bounded-work.js'

describe('BoundedWork', () => {
  it('runs a few tasks at a time, in order, and rejects more than may wait', async () => {
    const work = new BoundedWork({ maxRunning: 2, maxWaiting: 2 })
    const begun: number[] = []
    const ends = new Map<number, () => void>()
    const results = [1, 2, 3, 4].map((name) =>
      work.run(async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        if (name === 2) throw new Error('failed')
        return name
      }),
    )
    const outcomes = Promise.allSettled(results)

    assert.deepEqual([begun, work.isFull], [[1, 2], true])
    await assert.rejects(work.run(async () => 5))
    ends.get(2)?.()
    await assert.rejects(results[1] as Promise<number>)
    assert.deepEqual([begun, work.isFull], [[1, 2, 3], false])
    ends.get(1)?.()
    await results[0]
    ends.get(3)?.()
    ends.get(4)?.()

    assert.deepEqual(
      (await outcomes).map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value : 'failed',
      ),
      [1, 'failed', 3, 4],
    )
    assert.equal(await work.run(async () => 6), 6)
  })
})
