import '@parley/core'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as eventLoopTick } from 'node:timers/promises'

import { Background } from '../../../packages/core/src/kernel/background.js'
import { guardLogger, silentLogger } from '../../../packages/core/src/kernel/logger.js'
import type { BackgroundWork } from '../../../packages/core/src/kernel/periodic-task.js'
import { FakeClock } from '../../support/fake-clock.js'

function noted(done: string[], name: string, seconds: number, isOff = false): BackgroundWork {
  return {
    name,
    intervalMilliseconds: seconds * 1000,
    isOff,
    async round() {
      done.push(name)
    },
  }
}

describe('Background', () => {
  it('runs each task at its own interval, and none that is off', async () => {
    const clock = new FakeClock()
    const background = new Background(clock, silentLogger)
    const done: string[] = []
    const off = noted(done, 'off', 1, true)
    background.start([noted(done, 'often', 2), noted(done, 'seldom', 3), off])

    for (let second = 0; second < 4; second += 1) {
      clock.advance(1)
      await eventLoopTick()
    }
    background.wake(off)

    assert.deepEqual(done, ['often', 'seldom', 'often'])
    await background.stop()
  })

  it('wakes one task, and only between the start and the stop', async () => {
    const clock = new FakeClock()
    const background = new Background(clock, silentLogger)
    const done: string[] = []
    const [one, other] = [noted(done, 'one', 60), noted(done, 'other', 60)]
    background.wake(one)
    background.start([one, other])
    assert.deepEqual(done, [])

    background.wake(one)
    await background.stop()
    background.wake(one)
    clock.advance(100)

    assert.deepEqual(done, ['one'])
  })

  it('continues if a round and the logger fail', async () => {
    const clock = new FakeClock()
    const lines: string[] = []
    const broken = (message: string): never => {
      lines.push(message)
      throw new Error('The disk is full')
    }
    const logger = { debug: broken, info: broken, warn: broken, error: broken }
    const background = new Background(clock, guardLogger(logger))
    const round = async (): Promise<void> => {
      throw new Error('There is nothing to do it with')
    }
    background.start([{ name: 'Sweeping', intervalMilliseconds: 1000, round }])

    for (let second = 0; second < 2; second += 1) {
      clock.advance(1)
      await eventLoopTick()
    }

    assert.deepEqual(lines, ['Sweeping failed', 'Sweeping failed'])
    await background.stop()
  })
})
