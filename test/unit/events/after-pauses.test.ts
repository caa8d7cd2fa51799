import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as eventLoopTick } from 'node:timers/promises'

import { textRemoved, textsErased } from '../../../packages/core/src/events/log/text-changes.js'
import { LiveQueue, unused } from '../../../packages/core/src/events/queues/live-queue.js'
import { LongPoll } from '../../../packages/core/src/events/queues/long-poll.js'
import { until } from '../../support/waiting.js'
import { organizationId, SampleLog, sampleQueue } from './sample-log.js'
import { parsed, Process, texts } from './sample-process.js'

/** Removes the text of the first message, as another process does. */
function eraseFirst(log: SampleLog): void {
  const [first, ...rest] = log.records
  assert.ok(first !== undefined)
  const { kind, data } = textsErased({ seqs: [first.seq], messageIds: [1] })
  const removal = { ...log.commit([], ''), kind, data }
  log.records.splice(
    0,
    log.records.length,
    { ...first, kind: textRemoved.kind, data: {} },
    ...rest,
    removal,
  )
}

async function processWithMessage(): Promise<{ log: SampleLog; process: Process }> {
  const log = new SampleLog()
  const process = new Process(log)
  await process.delivery.logs.watch(organizationId)
  log.commit([1], 'secret')
  process.publish(1)
  return { log, process }
}

describe('a process that was paused', () => {
  it('sends no text that was removed meanwhile', async () => {
    const { log, process } = await processWithMessage()
    eraseFirst(log)
    log.commit([1], 'later')
    process.clock.pause(5)

    assert.deepEqual(texts(await process.collect(0)), ['later.0'])
  })

  it('keeps its events until it can read the log', async () => {
    const { log, process } = await processWithMessage()
    const { clock, delivery, live } = process
    delivery.logs.start()
    log.isDown = true
    clock.pause(5)
    process.say('not in the log')
    const poll = new LongPoll(delivery, live, 0, () => () => {}, clock, 45)
    let answer: readonly string[] | undefined
    void poll.answer.then((events) => (answer = events))
    const isPolled = clock.next('set', 0.25)
    clock.fire(0.25)
    await isPolled
    assert.equal(answer, undefined)

    log.isDown = false
    clock.fire(0.25)
    await until('the answer', async () => answer !== undefined)
    const events = answer ?? []
    assert.deepEqual(
      parsed({ events, lastId: 0, hasMore: false, parts: undefined }).map(({ text }) => text),
      ['secret.0', 'not in the log'],
    )
  })

  it('reads a log that fails once for each poll of it, not without end', async () => {
    const { log, process } = await processWithMessage()
    const { clock, delivery, live } = process
    const other = delivery.add(new LiveQueue(sampleQueue({ id: 'other' }), unused(0), clock.now()))
    delivery.logs.start()
    log.commit([1], 'unreadable')
    log.areRecordsDown = true
    clock.pause(5)
    const polls = []
    for (const queue of [live, other]) {
      polls.push(new LongPoll(delivery, queue, 0, () => () => {}, clock, 45))
      await eventLoopTick()
    }
    for (let turn = 0; turn < 100; turn += 1) await eventLoopTick()

    assert.ok(log.headReads <= 4, `${log.headReads} readings of ${polls.length} polls`)
  })
})
