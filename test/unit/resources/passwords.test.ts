import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ChatError } from '../../../packages/core/src/errors/index.js'
import { PasswordHasher } from '../../../packages/core/src/resources/credentials/passwords.js'

/** A hash of no password, quick to compare with. */
const quick = `$scrypt$ln=4,r=1,p=1$c2FsdA$${Buffer.alloc(32).toString('base64')}`
const atOnce = 2
const maxWaiting = 60

function isUnavailable(error: unknown): boolean {
  return error instanceof ChatError && error.kind === 'SERVICE_UNAVAILABLE'
}

describe('PasswordHasher', () => {
  it('knows the password of a hash that it made', async () => {
    const hasher = new PasswordHasher()
    const hash = await hasher.hash('correct horse')

    assert.equal(await hasher.verify('correct horse', hash), true)
    assert.equal(await hasher.verify('wrong', hash), false)
    assert.equal(hasher.needsRehash(hash), false)
    assert.equal(hasher.needsRehash(quick), true)
  })

  it('does not compare a password that is longer than any that was hashed', async () => {
    const hasher = new PasswordHasher()
    const empty = await hasher.hash('')

    assert.equal(await hasher.verify('', empty), true)
    assert.equal(await hasher.verify('x'.repeat(1001), empty), false)
  })

  it('lets so many wait, refuses the next, and takes others once there is room', async () => {
    const hasher = new PasswordHasher()
    const waiting = Array.from({ length: atOnce + maxWaiting }, () => hasher.verify('x', quick))

    await assert.rejects(hasher.verify('x', quick), isUnavailable)
    await assert.rejects(hasher.hash('x'), isUnavailable)
    assert.throws(() => hasher.requireRoom(), isUnavailable)

    await waiting[0]
    hasher.requireRoom()
    assert.equal(await hasher.verify('x', quick), false)
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([false]))
  })

  it('serves in the order of arrival', async () => {
    const hasher = new PasswordHasher()
    const order: number[] = []

    const verifying = Array.from({ length: 20 }, async (_, index) => {
      await hasher.verify('x', quick)
      order.push(index)
    })
    await Promise.all(verifying)

    // Two at a time may end in either order.
    for (const [place, index] of order.entries())
      assert.ok(Math.abs(place - index) <= 1, `${order}`)
  })

  it('never refuses those who hash a few at a time', async () => {
    const hasher = new PasswordHasher()
    const waiting = Array.from({ length: atOnce + maxWaiting }, () => hasher.verify('x', quick))

    assert.match(await hasher.hashInTurn('x'), /^\$scrypt\$/)
    await Promise.all(waiting)
  })
})
