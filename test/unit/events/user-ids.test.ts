import assert from 'node:assert/strict'
import { it } from 'node:test'

import { ChangedUserIds, SortedUserIds } from '../../../packages/core/src/events/user-ids.js'

it('has the users of the list, and no others', () => {
  for (let length = 0; length < 20; length += 1) {
    const ids = Array.from({ length }, (_, index) => 3 * index + 2)
    const userIds = new SortedUserIds(ids)
    assert.equal(userIds.size, length)
    assert.deepEqual([...userIds], ids)
    const found = Array.from({ length: 70 }, (_, id) => id).filter((id) => userIds.has(id))
    assert.deepEqual(found, ids)
  }
})

it('has ids up to 32 bits', () => {
  const userIds = new SortedUserIds([1, 2 ** 31, 2 ** 32 - 1])
  assert.ok(userIds.has(2 ** 31))
  assert.ok(userIds.has(2 ** 32 - 1))
  assert.ok(!userIds.has(2 ** 32 - 2))
})

it('differs from another list', () => {
  const base = new SortedUserIds([2, 4, 6, 8])
  const changed = new ChangedUserIds(1, base, new SortedUserIds([3, 9]), new SortedUserIds([4]))

  assert.equal(changed.size, 5)
  assert.deepEqual([...changed].sort(), [2, 3, 6, 8, 9])
  const found = Array.from({ length: 12 }, (_, id) => id).filter((id) => changed.has(id))
  assert.deepEqual(found, [2, 3, 6, 8, 9])
})
