import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { PeriodicTask } from '../../../packages/core/src/kernel/periodic-task.js'
import { FakeClock } from '../../support/fake-clock.js'

/** A task whose rounds the test ends. */
function heldTask(clock: FakeClock) {
  const errors: unknown[] = []
  const ends: ((error?: Error) => void)[] = []
  const task = new PeriodicTask(
    clock,
    10_000,
    () =>
      new Promise((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)))
      }),
    (error) => errors.push(error),
  )
  return { task, ends, errors }
}

describe('PeriodicTask', () => {
  it('begins after an interval, and again an interval after each round', async () => {
    const clock = new FakeClock()
    const { task, ends } = heldTask(clock)
    task.start()
    clock.advance(9)
    const before = ends.length

    clock.advance(1)
    clock.advance(5)
    const isSet = clock.next('set', 10)
    ends[0]?.()
    await isSet

    assert.deepEqual([before, ends.length], [0, 1])
    clock.advance(10)
    assert.equal(ends.length, 2)
    const stopped = task.stop()
    ends[1]?.()
    await stopped
  })

  it('goes on at once after a round that took longer than the interval', async () => {
    const clock = new FakeClock()
    const { task, ends } = heldTask(clock)
    task.start()
    clock.advance(30)
    assert.equal(ends.length, 1)

    ends[0]?.()
    await new Promise((resolve) => setImmediate(resolve))

    assert.equal(ends.length, 2)
    const stopped = task.stop()
    ends[1]?.()
    await stopped
  })

  it('tells of a round that fails, and goes on', async () => {
    const clock = new FakeClock()
    const { task, ends, errors } = heldTask(clock)
    task.start()
    clock.advance(10)

    const isSet = clock.next('set', 10)
    ends[0]?.(new Error('no'))
    await isSet

    assert.deepEqual(errors.map(String), ['Error: no'])
    await task.stop()
  })

  it('ends with the round that is under way', async () => {
    const clock = new FakeClock()
    const { task, ends } = heldTask(clock)
    task.start()
    clock.advance(10)

    const stopped = task.stop()
    ends[0]?.()
    await stopped
    clock.advance(100)

    assert.equal(ends.length, 1)
  })

  it('does a round at once when it is woken, and the next an interval later', async () => {
    const clock = new FakeClock()
    const { task, ends } = heldTask(clock)
    task.wake()
    task.start()
    clock.advance(4)
    const before = ends.length

    task.wake()
    const isSet = clock.next('set', 10)
    ends[0]?.()
    await isSet
    clock.advance(9)
    assert.deepEqual([before, ends.length], [0, 1])

    clock.advance(1)
    assert.equal(ends.length, 2)
    const stopped = task.stop()
    ends[1]?.()
    await stopped
  })

  it('does one more round when it is woken during one', async () => {
    const clock = new FakeClock()
    const { task, ends } = heldTask(clock)
    task.start()
    clock.advance(10)

    task.wake()
    task.wake()
    assert.equal(ends.length, 1)
    ends[0]?.()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(ends.length, 2)

    const isSet = clock.next('set', 10)
    ends[1]?.()
    await isSet
    assert.equal(ends.length, 2)
    await task.stop()
  })
})
