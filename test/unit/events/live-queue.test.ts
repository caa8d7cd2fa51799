import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { firstIdOf, idsPerEntry, seqOf } from '../../../packages/core/src/events/event-id.js'
import { LiveQueue, unused } from '../../../packages/core/src/events/live-queue.js'
import { sampleQueue } from './sample-log.js'

describe('the ids of ephemeral events', () => {
  it('are those between an entry and the next one', () => {
    const seq = 7
    const live = new LiveQueue(sampleQueue({ createdSeq: seq }), unused(seq), 0)
    const ids: number[] = []

    for (let id = live.nextEphemeralId(seq); id !== undefined; id = live.nextEphemeralId(seq)) {
      ids.push(id)
    }

    assert.equal(ids.length, idsPerEntry - 1)
    assert.equal(ids[0], firstIdOf(seq) + 1)
    assert.deepEqual(new Set(ids.map(seqOf)), new Set([seq]))
    assert.equal(live.nextEphemeralId(seq + 1), firstIdOf(seq + 1) + 1)
  })
})
