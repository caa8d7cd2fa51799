import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { EventLoopYielder } from '../../../packages/core/src/kernel/event-loop-yielder.js'
import { SynchronousPools } from '../../../packages/core/src/storage/connections/synchronous-client.js'

/** Ends the slice of time of this tick, so that the next read pauses. */
function computeUntilDue(): void {
  const yielder = new EventLoopYielder()
  while (!yielder.isDue);
}

/** Whether `work` ends without the event loop. */
async function endsInThisTick(work: Promise<void>): Promise<boolean> {
  let isOver = false
  void work.then(() => (isOver = true))
  for (let step = 0; step < 10; step += 1) await Promise.resolve()
  return isOver
}

describe('the reads of a synchronous driver', () => {
  it('pause when they have used their time, until the event loop has run', async () => {
    const pools = new SynchronousPools()
    computeUntilDue()

    const read = pools.before('SELECT 1', false)

    assert.equal(await endsInThisTick(read), false)
    await read
  })

  it('go on when a write begins, which may wait for them while it holds its lock', async () => {
    const pools = new SynchronousPools()
    computeUntilDue()
    const read = pools.before('SELECT 1', false)
    assert.equal(await endsInThisTick(read), false)

    pools.written('BEGIN IMMEDIATE')

    assert.equal(await endsInThisTick(read), true)
  })

  it('do not pause while a write is open', async () => {
    const pools = new SynchronousPools()
    await setImmediate()
    pools.written('BEGIN IMMEDIATE')
    computeUntilDue()

    assert.equal(await endsInThisTick(pools.before('SELECT 1', false)), true)
    pools.written('COMMIT')
    assert.equal(await endsInThisTick(pools.before('SELECT 1', false)), false)
  })
})
