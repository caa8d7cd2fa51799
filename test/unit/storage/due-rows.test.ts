import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as eventLoopTick } from 'node:timers/promises'

import { silentLogger } from '../../../packages/core/src/kernel/logger.js'
import { PeriodicTask } from '../../../packages/core/src/kernel/periodic-task.js'
import {
  DueRows,
  type DueReference,
  type DueRow,
} from '../../../packages/core/src/storage/index.js'
import { FakeClock } from '../../support/fake-clock.js'

/** Rows without a database. */
class NumberedRows extends DueRows<DueRow> {
  readonly waiting: Set<number>

  constructor(count: number, clock: FakeClock) {
    super(
      'reminders',
      { dueProbe: { hasDue: async () => true } } as never,
      undefined as never,
      clock,
    )
    this.waiting = new Set(Array.from({ length: count }, (_, index) => index + 1))
  }

  override async listDue(limit: number): Promise<DueReference[]> {
    return [...this.waiting].slice(0, limit).map((id) => ({ id, organization_id: 1 }))
  }
}

/** Rounds over numbered rows whose deliveries the test ends. */
function heldRounds(count: number, atOnce: number) {
  const clock = new FakeClock()
  const rows = new NumberedRows(count, clock)
  const begun: number[] = []
  const warnings: string[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const deliver = ({ id }: DueReference) => {
    begun.push(id)
    return new Promise<void>((resolve, reject) => {
      ends.set(id, (error) => {
        if (error !== undefined) return reject(error)
        rows.waiting.delete(id)
        resolve()
      })
    })
  }
  const rounds = new PeriodicTask(
    {
      name: 'Doing it',
      intervalMilliseconds: 10_000,
      round: (round) => rows.processDue(round, deliver, atOnce),
      end: () => rows.idle(),
    },
    clock,
    {
      ...silentLogger,
      warn: (message, details) => warnings.push(`${message} ${String(details?.['err'])}`),
    },
  )
  return {
    clock,
    rounds,
    begun,
    warnings,
    end: (id: number, error?: Error) => ends.get(id)?.(error),
  }
}

describe('rounds over due rows', () => {
  it('deliver one row after the other', async () => {
    const { clock, rounds, begun, end } = heldRounds(3, 1)
    rounds.start()
    clock.advance(10)
    await eventLoopTick()
    assert.deepEqual(begun, [1])

    for (const id of [1, 2, 3]) {
      end(id)
      await eventLoopTick()
    }

    assert.deepEqual(begun, [1, 2, 3])
    await rounds.stop()
  })

  it('continue while a slow row is delivered, up to the concurrency limit', async () => {
    const { clock, rounds, begun, end } = heldRounds(4, 2)
    rounds.start()
    clock.advance(10)
    await eventLoopTick()
    assert.deepEqual(begun, [1, 2])

    end(2)
    await eventLoopTick()
    end(3)
    await eventLoopTick()

    assert.deepEqual(begun, [1, 2, 3, 4])
    for (const id of [1, 4]) end(id)
    await rounds.stop()
  })

  it('start at once when they are woken', async () => {
    const { rounds, begun, end } = heldRounds(1, 1)
    rounds.start()

    rounds.wake()
    await eventLoopTick()

    assert.deepEqual(begun, [1])
    end(1)
    await rounds.stop()
  })

  it('end if a delivery throws, and retry in the next round', async () => {
    const { clock, rounds, begun, warnings, end } = heldRounds(2, 1)
    rounds.start()
    clock.advance(10)
    await eventLoopTick()

    const isOver = clock.next('set', 10)
    end(1, new Error('away'))
    await isOver
    assert.deepEqual([begun, warnings], [[1], ['Doing it failed Error: away']])

    clock.advance(10)
    await eventLoopTick()
    assert.deepEqual(begun, [1, 1])
    end(1)
    await eventLoopTick()
    end(2)
    await rounds.stop()
  })

  it('stop after the current deliveries, and start no others', async () => {
    const { clock, rounds, begun, end } = heldRounds(3, 2)
    rounds.start()
    clock.advance(10)
    await eventLoopTick()

    let isStopped = false
    const stopping = rounds.stop().then(() => (isStopped = true))
    end(1)
    await eventLoopTick()
    assert.equal(isStopped, false)
    end(2)
    await stopping
    rounds.wake()
    clock.advance(100)

    assert.deepEqual(begun, [1, 2])
  })
})
