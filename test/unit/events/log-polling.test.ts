import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { FakeClock } from '../../support/fake-clock.js'

// A dynamic import, because the tests do not otherwise depend on the internals of the core.
const { LogPolling } = await import('../../../packages/core/src/events/log/log-polling.js')

const logger = { debug() {}, info() {}, warn() {}, error() {} }
const tickSeconds = 0.25

function pollingOf(isConnected: boolean) {
  const clock = new FakeClock()
  const state = { reads: 0 }
  const polling = new LogPolling({
    logPollMilliseconds: 1000 * tickSeconds,
    read: async () => {
      state.reads += 1
    },
    bus: { isConnected },
    clock,
    logger,
  })
  polling.start()
  const tick = async (): Promise<void> => {
    clock.fire(tickSeconds)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, state, polling, tick }
}

describe('polling of the log', () => {
  it('reads at each tick without a bus, and every three seconds with one', async () => {
    for (const [isConnected, reads] of [
      [false, 24],
      [true, 2],
    ] as const) {
      const { state, tick } = pollingOf(isConnected)

      for (let count = 0; count < 24; count += 1) await tick()

      assert.equal(state.reads, reads)
    }
  })

  for (const isConnected of [false, true]) {
    it(`is not current after a pause, until it has read: ${isConnected ? 'with' : 'without'} a bus`, async () => {
      const { clock, state, polling, tick } = pollingOf(isConnected)
      await tick()
      assert.equal(polling.isCurrent, true)

      clock.pause(5)
      assert.equal(polling.isCurrent, false)
      const { reads } = state
      await tick()

      assert.equal(state.reads, reads + 1)
      assert.equal(polling.isCurrent, true)
    })

    it(`reads at once if a caller needs it: ${isConnected ? 'with' : 'without'} a bus`, async () => {
      const { clock, state, polling } = pollingOf(isConnected)
      clock.pause(5)

      await Promise.all([polling.becomeCurrent(), polling.becomeCurrent()])

      assert.equal(state.reads, 1)
      assert.equal(polling.isCurrent, true)
    })
  }

  it('reads again if a reading began before the pause', async () => {
    const { clock, state, polling } = pollingOf(false)
    clock.fire(tickSeconds)
    assert.equal(state.reads, 1)
    clock.pause(5)

    await polling.becomeCurrent()

    assert.equal(state.reads, 2)
  })
})
