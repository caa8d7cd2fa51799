import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ChatError } from '../../../packages/core/src/errors/index.js'
import {
  PendingWrites,
  type Writer,
} from '../../../packages/core/src/storage/transactions/pending-writes.js'
import { FakeClock } from '../../support/fake-clock.js'

const writer = (organizationId: number, userId: number): Writer => ({ organizationId, userId })

/** Writes that end when the test says so, the oldest first. */
function pendingWrites() {
  const clock = new FakeClock()
  const pending = new PendingWrites(clock)
  const ends: (() => void)[] = []
  return {
    clock,
    begin: (by: Writer, count: number): void => {
      for (let index = 0; index < count; index += 1) {
        void pending.run(by, () => new Promise<void>((resolve) => ends.push(resolve)))
      }
    },
    /** Ends some in a second. */
    pass: async (count: number): Promise<void> => {
      clock.pause(1)
      for (const end of ends.splice(0, count)) end()
      await new Promise(setImmediate)
    },
    /** After how many seconds a write should be tried again; undefined if it is accepted now. */
    retryAfter: (by: Writer): unknown => {
      try {
        pending.requireShortWait(by)
        return undefined
      } catch (error) {
        assert.ok(error instanceof ChatError)
        assert.equal(error.status, 503)
        assert.equal(error.headers['Retry-After'], String(error.fields['retry-after']))
        return error.fields['retry-after']
      }
    },
  }
}

describe('PendingWrites', () => {
  const alice = writer(1, 10)

  it('refuses what would wait longer than three seconds', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    begin(alice, 250)
    assert.equal(retryAfter(alice), undefined)
    await pass(50)
    assert.equal(retryAfter(alice), 1)
    await pass(50)
    assert.equal(retryAfter(alice), undefined)
  })

  it('lets those who were refused try again at a quarter of the pace at which writes end', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    begin(alice, 320)
    await pass(64)
    const seconds = Array.from({ length: 40 }, () => retryAfter(alice))
    const counts = [1, 2, 3].map((second) => seconds.filter((found) => found === second).length)
    assert.deepEqual(counts, [16, 16, 8])
  })

  it('names at most twenty seconds', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    begin(alice, 250)
    for (let second = 0; second < 4; second += 1) await pass(0)
    for (let count = 0; count < 100; count += 1) retryAfter(alice)
    assert.equal(retryAfter(alice), 20)
  })

  it('accepts a few at any pace', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    begin(alice, 32)
    await pass(0)
    await pass(0)
    assert.equal(retryAfter(alice), undefined)
  })

  it('counts all that end together, also the last few', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    // Each transaction takes a second and writes 40: 25 ms each, not 125 ms.
    for (let second = 0; second < 5; second += 1) {
      begin(alice, 40)
      await pass(40)
    }
    begin(alice, 100)
    assert.equal(retryAfter(alice), undefined)
    begin(alice, 40)
    assert.notEqual(retryAfter(alice), undefined)
  })

  it('knows the pace when only few were pending for a while', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    begin(alice, 40)
    await pass(40)
    begin(alice, 1)
    await pass(1)
    begin(alice, 100)
    assert.equal(retryAfter(alice), undefined)
    begin(alice, 40)
    assert.notEqual(retryAfter(alice), undefined)
  })

  it('measures the pace anew after ten calm seconds', async () => {
    const { begin, clock, pass, retryAfter } = pendingWrites()
    begin(alice, 100)
    for (let second = 0; second < 4; second += 1) await pass(0)
    assert.notEqual(retryAfter(alice), undefined)
    await pass(100)
    clock.pause(11)
    begin(alice, 250)
    assert.equal(retryAfter(alice), undefined)
  })

  it('refuses the users who have the most writes waiting', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    begin(alice, 200)
    await pass(10)
    assert.notEqual(retryAfter(alice), undefined)
    assert.equal(retryAfter(writer(1, 11)), undefined)
  })

  it('refuses users of the organizations that have the most writes waiting', async () => {
    const { begin, pass, retryAfter } = pendingWrites()
    for (let userId = 10; userId < 110; userId += 1) begin(writer(1, userId), 2)
    await pass(10)
    assert.notEqual(retryAfter(writer(1, 110)), undefined)
    assert.equal(retryAfter(writer(2, 500)), undefined)
  })
})
