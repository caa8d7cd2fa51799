import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { firstIdOf, idsPerEntry, seqOf } from '../../../packages/core/src/events/event-id.js'
import { LiveQueue, unused } from '../../../packages/core/src/events/queues/live-queue.js'
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

describe('the entries that were scanned for a queue', () => {
  const firstScannedSeq = 1
  const scannedSeq = 5000
  const sentSeq = scannedSeq + 1

  function servedUpTo(): { live: LiveQueue; start: number } {
    const live = new LiveQueue(
      sampleQueue({ createdSeq: firstScannedSeq }),
      unused(firstScannedSeq),
      0,
    )
    const start = firstIdOf(firstScannedSeq)
    live.markScanned(start, scannedSeq)
    live.markScanned(firstIdOf(sentSeq), sentSeq)
    return { live, start }
  }

  it('include the last one that was sent, for a client that received it', () => {
    const { live } = servedUpTo()

    assert.equal(live.startSeq(firstIdOf(sentSeq)), sentSeq)
    assert.equal(live.seenSeq, sentSeq)
  })

  it('stay known to a client that did not receive what was sent, and to other processes', () => {
    const { live, start } = servedUpTo()

    assert.equal(live.startSeq(start), scannedSeq)
    assert.deepEqual(live.use.scanned, { fromId: start, toSeq: scannedSeq })
  })

  it('are those after the acknowledged event, however often it is acknowledged', () => {
    const { live } = servedUpTo()
    const id = firstIdOf(sentSeq)
    live.acknowledge(id)
    live.markScanned(id, sentSeq + 100)

    live.acknowledge(id)

    assert.equal(live.startSeq(id), sentSeq + 100)
    assert.deepEqual(live.use.scanned, { fromId: id, toSeq: sentSeq + 100 })
  })
})
