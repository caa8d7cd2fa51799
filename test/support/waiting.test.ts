import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { FakeClock } from './fake-clock.js'
import { until, within } from './waiting.js'

const soon = { seconds: 0.02 }
const never = new Promise<never>(() => {})

describe('waiting', () => {
  it('returns the value', async () => {
    let looks = 0

    const found = await until('the third look', () => (looks += 1) === 3 && looks)

    assert.equal(found, 3)
    assert.equal(await within('a text', Promise.resolve('text')), 'text')
    await assert.rejects(
      within('a failure', Promise.reject(new Error('Failed'))),
      /^Error: Failed$/,
    )
  })

  it('throws an error with what did not occur, and what occurred instead', async () => {
    const other = [{ type: 'presence' }]

    await assert.rejects(within('a message', never, soon), {
      message: 'Waited 0.02 seconds in vain for a message.',
    })
    await assert.rejects(
      until('a message', () => undefined, { ...soon, instead: () => other }),
      {
        message:
          "Waited 0.02 seconds in vain for a message. Instead there was: [ { type: 'presence' } ]",
      },
    )
  })

  it('ends if a single check takes too long', async () => {
    await assert.rejects(
      until('a row', () => never, soon),
      /in vain for a row/,
    )
  })

  it('throws an error with the pending timers if one is not set', async () => {
    const clock = new FakeClock()
    clock.setTimeout(() => {}, 7000)

    await assert.rejects(clock.next('set', 10, 12, soon), {
      message:
        'Waited 0.02 seconds in vain for a timer of 10 to 12 seconds to be set. Instead there was: [ 7 ]',
    })
  })
})
