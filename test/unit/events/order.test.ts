import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { firstIdOf, idsPerEntry } from '../../../packages/core/src/events/event-id.js'
import { SampleLog } from './sample-log.js'
import { parsed, Process } from './sample-process.js'

describe('ephemeral events', () => {
  it('keep their positions among log entries', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    const commit = (userId: number, text: string, copies = 1): void =>
      process.publish(log.commit([userId], text, copies).seq)
    await process.collect(0)

    commit(1, 'a', 3)
    process.say('first')
    process.say('second')
    commit(2, 'for another user')
    commit(1, 'b')
    process.say('third')
    const batch = await process.collect(0)
    process.say('fourth')
    commit(1, 'c')
    const next = await process.collect(batch.lastId)

    assert.deepEqual(
      [...parsed(batch), ...parsed(next)].map(({ id, text }) => [id, text]),
      [
        [1024, 'a.0'],
        [1025, 'a.1'],
        [1026, 'a.2'],
        [1027, 'first'],
        [1028, 'second'],
        [3072, 'b.0'],
        [3073, 'third'],
        [3074, 'fourth'],
        [4096, 'c.0'],
      ],
    )
  })

  it('are delivered late, rather than under an id that has been acknowledged', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    await process.collect(0)

    process.say('held')
    process.publish(log.commit([1], 'taken from another process').seq)
    const batch = await process.collect(firstIdOf(1))

    assert.deepEqual(
      parsed(batch).map(({ id, text }) => [id, text]),
      [[1025, 'held']],
    )
  })

  it('continue after the ids were used up', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    let { lastId } = await process.collect(0)
    const ids: number[] = []

    for (let round = 0; round < idsPerEntry + 10; round += 1) {
      process.say(String(round))
      const batch = await process.collect(lastId)
      lastId = batch.lastId
      ids.push(...parsed(batch).map(({ id }) => id))
      process.publish(log.records.length)
    }

    assert.equal(ids.length, idsPerEntry + 9, 'one is lost')
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
  })
})
