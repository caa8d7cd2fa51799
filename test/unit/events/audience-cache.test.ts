import assert from 'node:assert/strict'
import { it } from 'node:test'

import {
  AudienceCache,
  maxAudienceBytes,
} from '../../../packages/core/src/events/log/audience-cache.js'
import { ChangedUserIds, SortedUserIds } from '../../../packages/core/src/events/user-ids.js'

const short = new SortedUserIds([1, 2, 3])
const nobody = new SortedUserIds([])

function longList(): SortedUserIds {
  return new SortedUserIds(Array.from({ length: 10_000 }, (_, index) => index + 1))
}

it('holds some ten thousand short lists, and drops those that were not used for longest', () => {
  const cache = new AudienceCache()
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
  const cache = new AudienceCache()

  for (let id = 1; id <= 1000; id += 1) cache.set(id, longList())

  assert.ok(cache.size > 400)
  assert.ok(cache.size * 40_000 <= maxAudienceBytes, `${cache.size} lists`)
})

it('counts a list that others refer to once', () => {
  const cache = new AudienceCache()
  const base = longList()
  const list = new ChangedUserIds(1, base, new SortedUserIds([20_000]), nobody)

  for (let id = 2; id <= 10_000; id += 1) cache.set(id, list)

  assert.equal(cache.size, 10_000)
  assert.equal(cache.get(1), base)
  assert.equal(cache.get(10_000), list)
})

it('counts what lists that refer to another one add', () => {
  const cache = new AudienceCache()
  const added = new SortedUserIds(Array.from({ length: 250 }, (_, index) => 20_000 + index))
  const [one, other] = [longList(), longList()]

  for (let id = 10; id <= 20_000; id += 1) {
    const isOdd = id % 2 === 1
    cache.set(id, new ChangedUserIds(isOdd ? 1 : 2, isOdd ? one : other, added, nobody))
    assert.ok(cache.size * 1500 <= maxAudienceBytes, `${cache.size} lists`)
  }

  assert.ok(cache.get(20_000))
})

it('drops lists together with the one that they refer to', () => {
  const cache = new AudienceCache()
  cache.set(2, new ChangedUserIds(1, longList(), new SortedUserIds([20_000]), nobody))

  for (let id = 3; id <= 1000; id += 1) cache.set(id, longList())

  assert.equal(cache.get(1), undefined)
  assert.equal(cache.get(2), undefined)
  assert.ok(cache.get(1000))
})

it('holds no list that is too large, and none that refers to one', () => {
  const cache = new AudienceCache()
  const huge = new SortedUserIds(Array.from({ length: maxAudienceBytes / 4 }, (_, id) => id + 1))

  cache.set(1, huge)
  cache.set(2, new ChangedUserIds(1, huge, nobody, new SortedUserIds([7])))

  assert.equal(cache.size, 0)
  assert.equal(cache.get(2), undefined)
})

it('does not hold another copy of a list that others refer to', () => {
  const cache = new AudienceCache()
  const base = longList()
  cache.set(1, base)

  cache.set(2, new ChangedUserIds(1, longList(), nobody, new SortedUserIds([7])))

  assert.equal(cache.get(1), base)
  assert.equal(cache.get(2), undefined)
})
