import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { recordKind } from '../../../packages/core/src/events/record-kind.js'
import { SampleLog } from './sample-log.js'
import { Process } from './sample-process.js'

/** Collects the texts of the records that an observer of the process is told. */
function observe(process: Process): { texts: string[]; userIds: number[][] } {
  const seen: { texts: string[]; userIds: number[][] } = { texts: [], userIds: [] }
  process.delivery.logs.on(recordKind<{ text: string }>('note'), (_, { text }, userIds) => {
    seen.texts.push(text)
    seen.userIds.push([...userIds])
  })
  return seen
}

describe('an observer of a log', () => {
  it('is told every record once, with the recipients that it names, wherever it comes from', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    const seen = observe(process)
    await process.collect(0)

    process.publish(log.commit([1], 'own').seq)
    log.commit([2], 'of another process')
    process.publish(log.commit([1, 3], 'own, after a gap').seq)
    const batch = await process.collect(0)
    log.commit([4], 'found by polling')
    await process.delivery.logs.headSeq(1, log.records.length)

    assert.equal(batch.events.length, 2)
    assert.deepEqual(seen.texts.toSorted(), [
      'found by polling',
      'of another process',
      'own',
      'own, after a gap',
    ])
    assert.deepEqual(seen.userIds.toSorted(), [[1], [1, 3], [2], [4]])
  })

  it('is told a record at once, before those that precede it are read', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    const seen = observe(process)
    await process.collect(0)

    log.commit([2], 'of another process')
    process.publish(log.commit([1], 'own').seq)

    assert.deepEqual(seen.texts, ['own'])
  })
})
