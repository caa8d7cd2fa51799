import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { spectatorOf } from '../../../packages/core/src/domain/users/actor.js'
import {
  KnownCallers,
  proofOf,
} from '../../../packages/core/src/resources/access/authentication/known-callers.js'

const actor = spectatorOf(1)

describe('the cache of authenticated callers', () => {
  it('stores hashes of one length, whatever the credentials', () => {
    const known = new KnownCallers()
    const secrets = ['Basic c2VjcmV0OmtleQ==', 'x'.repeat(15_000), '']

    for (const secret of secrets) known.remember(proofOf(1, secret), actor)

    const keys = known.keys()
    assert.deepEqual(new Set(keys.map((key) => key.length)), new Set([44]))
    assert.equal(keys.length, secrets.length)
    for (const secret of secrets) {
      assert.equal(known.find(proofOf(1, secret)), actor)
      assert.equal(known.find(proofOf(2, secret)), undefined)
      assert.ok(keys.every((key) => secret === '' || !key.includes(secret)))
    }
  })

  it('distinguishes every part of the credentials', () => {
    const proofs = [proofOf(1, 'a', 'b'), proofOf(1, 'ab'), proofOf(1, 'a', 'b', undefined)]

    assert.equal(new Set(proofs).size, proofs.length)
  })

  it('has a maximum size', () => {
    const known = new KnownCallers(3)

    for (let index = 0; index < 10; index += 1) known.remember(proofOf(1, String(index)), actor)

    assert.equal(known.keys().length, 3)
    assert.equal(known.find(proofOf(1, '9')), actor)
  })

  it('forgets what depends on an account that has changed, and nothing else', () => {
    const known = new KnownCallers()
    const callerOf = (organizationId: number, userId: number) => ({
      ...spectatorOf(organizationId),
      userId,
    })
    known.remember('a1', callerOf(1, 10))
    known.remember('a2', callerOf(1, 10))
    known.remember('b', callerOf(1, 11))
    known.remember('c', callerOf(1, 12), true)
    known.remember('elsewhere', callerOf(2, 10))

    known.forgetUser(1, 10)
    assert.deepEqual(known.keys().toSorted(), ['b', 'elsewhere'])

    known.forgetOrganization(2)
    assert.deepEqual(known.keys(), ['b'])
  })
})
