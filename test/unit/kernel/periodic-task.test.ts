import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as eventLoopTick } from 'node:timers/promises'

import { silentLogger } from '../../../packages/core/src/kernel/logger.js'
import { PeriodicTask, type Round } from '../../../packages/core/src/kernel/periodic-task.js'
import { FakeClock } from '../../support/fake-clock.js'

/** A task whose rounds the test ends. */
function heldTask(clock: FakeClock, end?: () => Promise<void>) {
  const lines: string[] = []
  const rounds: Round[] = []
  const ends: ((error?: Error) => void)[] = []
  const task = new PeriodicTask(
    {
      name: 'Doing it',
      intervalMilliseconds: 10_000,
      round: (round) =>
        new Promise<void>((resolve, reject) => {
          rounds.push(round)
          ends.push((error) => (error === undefined ? resolve() : reject(error)))
        }),
      ...(end && { end }),
    },
    clock,
    {
      ...silentLogger,
      warn: (message, fields) => lines.push(`${message} ${String(fields?.['err'])}`),
    },
  )
  return { task, rounds, ends, lines }
}

describe('PeriodicTask', () => {
  it('starts after an interval, and again an interval after each round', async () => {
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

  it('continues at once after a round that took longer than the interval', async () => {
    const clock = new FakeClock()
    const { task, ends } = heldTask(clock)
    task.start()
    clock.advance(30)
    assert.equal(ends.length, 1)

    ends[0]?.()
    await eventLoopTick()

    assert.equal(ends.length, 2)
    const stopped = task.stop()
    ends[1]?.()
    await stopped
  })

  it('logs one line for a round that fails, and continues', async () => {
    const clock = new FakeClock()
    const { task, ends, lines } = heldTask(clock)
    task.start()
    clock.advance(10)

    const isSet = clock.next('set', 10)
    ends[0]?.(new Error('no'))
    await isSet

    assert.deepEqual(lines, ['Doing it failed Error: no'])
    clock.advance(10)
    assert.equal(ends.length, 2)
    ends[1]?.()
    await task.stop()
  })

  it('logs errors that a round reports, and lets it continue', async () => {
    const clock = new FakeClock()
    const { task, rounds, ends, lines } = heldTask(clock)
    task.start()
    clock.advance(10)

    rounds[0]?.failed(new Error('one of many'))

    assert.deepEqual(lines, ['Doing it failed Error: one of many'])
    ends[0]?.()
    await task.stop()
  })

  it('stops when the current round has ended, and aborts the signal of the round', async () => {
    const clock = new FakeClock()
    const { task, rounds, ends } = heldTask(clock)
    task.start()
    clock.advance(10)
    assert.equal(rounds[0]?.stopping.aborted, false)

    let isStopped = false
    const stopped = task.stop().then(() => (isStopped = true))
    await eventLoopTick()
    assert.deepEqual([isStopped, rounds[0]?.stopping.aborted], [false, true])
    ends[0]?.()
    await stopped
    task.wake()
    clock.advance(100)

    assert.equal(ends.length, 1)
  })

  it('stops when work that outlives its rounds has ended', async () => {
    const clock = new FakeClock()
    let isLeft = true
    const { task } = heldTask(clock, async () => {
      await eventLoopTick()
      isLeft = false
    })
    task.start()

    await task.stop()

    assert.equal(isLeft, false)
  })

  it('runs a round at once when it is woken, and keeps its due time', async () => {
    const clock = new FakeClock()
    const { task, rounds, ends } = heldTask(clock)
    task.wake()
    task.start()
    clock.advance(4)
    const before = ends.length

    task.wake()
    ends[0]?.()
    await eventLoopTick()
    clock.advance(5)
    assert.deepEqual([before, ends.length], [0, 1])

    clock.advance(1)
    const areDue = rounds.map(({ isDue }) => isDue)
    assert.deepEqual(areDue, [false, true])
    ends[1]?.()
    await task.stop()
  })

  it('runs one more round when it is woken during one', async () => {
    const clock = new FakeClock()
    const { task, rounds, ends } = heldTask(clock)
    task.start()
    clock.advance(10)

    task.wake()
    task.wake()
    assert.equal(ends.length, 1)
    ends[0]?.()
    await eventLoopTick()
    ends[1]?.()
    await eventLoopTick()

    const areDue = rounds.map(({ isDue }) => isDue)
    assert.deepEqual(areDue, [true, false])
    await task.stop()
  })

  it('runs a due round after a woken round, not concurrently', async () => {
    const clock = new FakeClock()
    const { task, rounds, ends } = heldTask(clock)
    task.start()
    task.wake()
    clock.advance(10)
    assert.equal(ends.length, 1)

    ends[0]?.()
    await eventLoopTick()

    const areDue = rounds.map(({ isDue }) => isDue)
    assert.deepEqual(areDue, [false, true])
    ends[1]?.()
    await task.stop()
  })
})
