import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { LiveQueue, unused } from '../../../packages/core/src/events/queues/live-queue.js'
import { organizationId, SampleLog, sampleQueue } from './sample-log.js'
import { Process, texts } from './sample-process.js'

/** A process that has `text` in memory, and has not sent it yet. */
async function processWith(text: string): Promise<{ log: SampleLog; process: Process }> {
  const log = new SampleLog()
  const process = new Process(log)
  await process.collect(0)
  process.publish(log.commit([1], text).seq)
  return { log, process }
}

describe('a text that another process has removed', () => {
  it('is not sent after a pause, or while nothing announces commits', async () => {
    const { log, process } = await processWith('removed')
    log.erase(1)

    process.clock.pause(0.3)
    const batch = await process.collect(0)

    assert.deepEqual(texts(batch), [])
  })

  it('is not sent as one of several', async () => {
    const { log, process } = await processWith('removed')
    process.publish(log.commit([1], 'stays').seq)
    log.erase(1)

    process.clock.pause(0.3)
    const batch = await process.collect(0)

    assert.deepEqual(texts(batch), ['stays.0'])
  })

  it('is not sent while its removal is known and cannot be read', async () => {
    const { log, process } = await processWith('removed')
    const { seq } = log.erase(1)
    log.isDown = true
    process.bus.publishHead(organizationId, seq)

    await assert.rejects(process.collect(0), /the database is down/)

    log.isDown = false
    assert.deepEqual(texts(await process.collect(0)), [])
  })

  it('is not sent if it is removed while the log is read', async () => {
    const log = new SampleLog()
    log.commit([1], 'removed')
    log.commit([1], 'stays')
    const process = new Process(log)
    const read = log.read.bind(log)
    log.read = async (...range) => {
      const records = await read(...range)
      log.read = read
      process.publish(log.erase(1).seq)
      return records
    }

    const batch = await process.collect(0)

    assert.deepEqual(texts(batch), ['stays.0'])
  })
})

describe('a text that is in memory', () => {
  it('is sent without a read if it came within the interval of polling', async () => {
    const { log, process } = await processWith('a')
    process.clock.pause(5)
    process.publish(log.commit([2], 'for another user').seq)
    process.publish(log.commit([1], 'b').seq)
    await process.collect(0)
    process.clock.pause(5)
    process.publish(log.commit([1], 'c').seq)
    const { headReads } = log

    process.clock.pause(0.2)
    const batch = await process.collect(process.live.lastId)

    assert.deepEqual(texts(batch), ['c.0'])
    assert.equal(log.headReads, headReads)
  })

  it('costs one read for all queues that want it later', async () => {
    const { log, process } = await processWith('a')
    const queues = Array.from({ length: 10 }, (_, index) =>
      process.delivery.add(
        new LiveQueue(sampleQueue({ id: `q${index}` }), unused(0), process.clock.now()),
      ),
    )
    process.clock.pause(0.3)
    const { headReads } = log

    const batches = await Promise.all(
      queues.map(async (live) => texts(await process.delivery.collect(live, 0))),
    )

    assert.deepEqual(
      batches.flat(),
      queues.map(() => 'a.0'),
    )
    assert.equal(log.headReads, headReads + 1)
  })
})
