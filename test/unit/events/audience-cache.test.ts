import assert from 'node:assert/strict'
import { it } from 'node:test'

import {
  createAudienceCache,
  maxAudienceBytes,
} from '../../../packages/core/src/events/audience-cache.js'
import { SortedUserIds } from '../../../packages/core/src/events/user-ids.js'

const short = new SortedUserIds([1, 2, 3])

it('holds some ten thousand short lists, and drops those that were not used for longest', () => {
  const cache = createAudienceCache()
  const count = 100_000
  for (let id = 1; id <= count; id += 1) {
    cache.set(id, short)
    assert.ok(cache.get(1))
  }

  assert.ok(cache.size > 30_000)
  assert.ok(cache.size * 500 <= maxAudienceBytes, `${cache.size} lists`)
  assert.equal(cache.get(2), undefined)
  assert.ok(cache.get(count))
})

it('holds some hundred lists of ten thousand users', () => {
  const cache = createAudienceCache()
  const long = new SortedUserIds(Array.from({ length: 10_000 }, (_, index) => index + 1))

  for (let id = 1; id <= 1000; id += 1) cache.set(id, long)

  assert.ok(cache.size > 400)
  assert.ok(cache.size * 40_000 <= maxAudienceBytes, `${cache.size} lists`)
})
