import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'

import { HeldBody, UnreadAnswers } from '../../../packages/core/src/http/replies/unread-answers.js'
import { FakeClock } from '../../support/fake-clock.js'

const kibibyte = 1024

/** Answers of 1 MiB each. */
function answers(maxMebibytes: number) {
  const clock = new FakeClock()
  const unread = new UnreadAnswers(clock, maxMebibytes * kibibyte * kibibyte)
  return {
    clock,
    add: (): HeldBody => {
      const body = HeldBody.of(Buffer.alloc(kibibyte * kibibyte, 'x'))
      body.on('error', () => {})
      unread.add(body)
      return body
    },
  }
}

/** Reads a part as soon as there is one. */
async function readPart(body: HeldBody): Promise<void> {
  if (body.readableLength === 0) await once(body, 'readable')
  assert.ok(body.read() !== null)
}

describe('answers that are not read', () => {
  it('end after half a minute', async () => {
    const { clock, add } = answers(100)
    const body = add()
    clock.advance(29)
    assert.ok(!body.destroyed)
    clock.advance(1)
    assert.ok(body.destroyed)
    assert.equal(clock.pendingTimers, 0)
  })

  it('do not end as long as parts are read', async () => {
    const { clock, add } = answers(100)
    const body = add()
    for (let part = 0; part < 5; part += 1) {
      clock.advance(29)
      await readPart(body)
    }
    assert.ok(!body.destroyed)
    let rest = 0
    for await (const part of body) rest += (part as Buffer).length
    assert.ok(rest > 0)
    assert.equal(clock.pendingTimers, 0)
  })

  it('end if there are too many, the one first that was not read for the longest time', async () => {
    const { add } = answers(3)
    const [first, second, third] = [add(), add(), add()]
    await readPart(first)
    add()
    assert.deepEqual(
      [first, second, third].map(({ destroyed }) => destroyed),
      [false, true, false],
    )
  })

  it('are not counted any more when they were read or their clients are gone', async () => {
    const { clock, add } = answers(2)
    const [read, gone] = [add(), add()]
    for await (const _part of read);
    gone.destroy()
    await once(gone, 'close')
    assert.equal(clock.pendingTimers, 0)
    const [one, other] = [add(), add()]
    assert.ok(!one.destroyed && !other.destroyed)
  })
})
