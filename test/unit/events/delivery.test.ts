import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as eventLoopTick } from 'node:timers/promises'

import fc from 'fast-check'

import { EventDelivery } from '../../../packages/core/src/events/delivery.js'
import { EventCatalogue } from '../../../packages/core/src/events/event-catalogue.js'
import { firstIdOf, idsPerEntry } from '../../../packages/core/src/events/event-id.js'
import type {
  EventQueue,
  EventQueueOptions,
} from '../../../packages/core/src/events/queues/event-queue.js'
import { LiveQueue, unused } from '../../../packages/core/src/events/queues/live-queue.js'
import { LongPoll } from '../../../packages/core/src/events/queues/long-poll.js'
import { FakeClock } from '../../support/fake-clock.js'
import { definitions, organizationId, SampleBus, SampleLog, sampleQueue } from './sample-log.js'
import { parsed, Process, silent, texts } from './sample-process.js'

describe('the delivery of events', () => {
  it('tells what is kept in memory when a log has not been used for 15 minutes', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    const { logs } = process.delivery
    const ended: number[] = []
    logs.onEnd((id) => ended.push(id))
    logs.start()
    await logs.watch(organizationId)

    // From now on, this process does not read the log, and does not receive commits of another one.
    const isPolled = process.clock.next('set', 0.25)
    process.clock.jump(15 * 60 + 1)
    process.clock.fire(0.25)
    await isPolled

    assert.deepEqual(ended, [organizationId])
    process.delivery.close()
  })

  it('creates up to 1,024 events from one entry, each with an id of its own', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    log.commit([1], 'many', 1500)
    log.commit([1], 'next')

    const batch = await process.collect(0)

    const ids = parsed(batch).map(({ id }) => id)
    assert.equal(ids.length, idsPerEntry + 1)
    assert.deepEqual(ids, [
      ...Array.from({ length: idsPerEntry }, (_, copy) => firstIdOf(1) + copy),
      firstIdOf(2),
    ])
    assert.equal(batch.lastId, ids.at(-1))
  })

  it('continues in the middle of an entry with several events', async () => {
    const log = new SampleLog()
    log.commit([1], 'a', 4)
    log.commit([1], 'b')
    const place = firstIdOf(1) + 1

    for (const process of [new Process(log), new Process(log)]) {
      const batch = await process.collect(place)
      assert.deepEqual(texts(batch), ['a.2', 'a.3', 'b.0'])
    }
  })

  it('renders an entry once for all queues of a kind', async () => {
    const log = new SampleLog()
    let renderings = 0
    const counting = definitions.map((definition) => ({
      ...definition,
      render: (data: unknown, queue: EventQueue) => {
        renderings += 1
        return definition.render?.(data, queue) ?? []
      },
    }))
    const options = { logPollMilliseconds: 0 }
    const bus = new SampleBus()
    const clock = new FakeClock()
    const catalogue = new EventCatalogue(counting)
    const delivery = new EventDelivery(log, catalogue, bus, clock, silent, options)
    const queues = Array.from({ length: 10 }, (_, index) =>
      delivery.add(
        new LiveQueue(
          sampleQueue({ id: `q${index}`, applyMarkdown: index % 2 === 0 }),
          unused(0),
          clock.now(),
        ),
      ),
    )
    await delivery.logs.watch(organizationId)
    bus.publishRecords(organizationId, [log.commit([1], 'shared')])

    const seen = await Promise.all(
      queues.map(async (live) => texts(await delivery.collect(live, 0))[0]),
    )

    assert.equal(renderings, 2)
    assert.deepEqual(new Set(seen), new Set(['<p>shared.0</p>', 'shared.0']))
  })

  it('asks once whether queues with equal options accept an entry', async () => {
    const log = new SampleLog()
    const asked: string[] = []
    const choosy = definitions.map((definition) => ({
      ...definition,
      accepts: (_: unknown, { clientName }: EventQueueOptions) => {
        asked.push(clientName)
        return clientName !== 'refusing'
      },
    }))
    const bus = new SampleBus()
    const clock = new FakeClock()
    const catalogue = new EventCatalogue(choosy)
    const delivery = new EventDelivery(log, catalogue, bus, clock, silent, {
      logPollMilliseconds: 0,
    })
    const { narrow, capabilities } = sampleQueue()
    const queues = Array.from({ length: 10 }, (_, index) => {
      const clientName = index % 2 === 0 ? 'refusing' : 'accepting'
      const queue = sampleQueue({ id: `q${index}`, clientName, narrow, capabilities })
      return delivery.add(new LiveQueue(queue, unused(0), clock.now()))
    })
    await delivery.logs.watch(organizationId)
    bus.publishRecords(organizationId, [log.commit([1], 'shared')])

    const batches = await Promise.all(queues.map(async (live) => delivery.collect(live, 0)))

    assert.deepEqual(asked, ['refusing', 'accepting'])
    const expected = queues.map(({ queue }) =>
      queue.clientName === 'refusing' ? [] : ['shared.0'],
    )
    assert.deepEqual(batches.map(texts), expected)
    assert.equal(batches[1], batches[3], 'the same batch for all who get the same')
  })

  it('reads missed entries from the log', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    await process.collect(0)
    for (const text of ['a', 'b', 'c', 'd']) log.commit([1], text)

    process.publish(4)
    const batch = await process.collect(0)

    assert.deepEqual(texts(batch), ['a.0', 'b.0', 'c.0', 'd.0'])
  })

  it('returns an error for entries that were deleted from the log', async () => {
    const log = new SampleLog()
    for (let index = 0; index < 10; index += 1) log.commit([1], `${index}`)
    log.floorSeq = 5
    const process = new Process(log)

    await assert.rejects(process.collect(0), { code: 'BAD_EVENT_QUEUE_ID' })
    await assert.rejects(process.collect(firstIdOf(4)), { code: 'BAD_EVENT_QUEUE_ID' })
    assert.deepEqual(texts(await process.collect(firstIdOf(6))), ['6.0', '7.0', '8.0', '9.0'])
    log.floorSeq = 10
    await assert.rejects(new Process(log).collect(firstIdOf(7)), { code: 'BAD_EVENT_QUEUE_ID' })
  })

  it('is current again once the bus has brought what could not be read', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    await process.collect(0)
    log.commit([1], 'a')
    log.commit([1], 'b')
    log.isDown = true
    process.publish(2)
    await process.collect(0)
    process.publish(1)
    log.isDown = false
    process.clock.pause(60)

    await process.delivery.logs.becomeCurrent(organizationId)

    assert.deepEqual(texts(await process.collect(0)), ['a.0', 'b.0'])
  })

  it('catches up with a log that was shortened while the process could not read it', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    await process.collect(0)
    log.isDown = true
    for (let index = 0; index < 8; index += 1) log.commit([1], `${index}`)
    process.publish(8)
    assert.deepEqual(
      (await process.collect(0)).events,
      [],
      'no events while the log is unavailable',
    )

    log.isDown = false
    log.floorSeq = 6

    await assert.rejects(process.collect(0), { code: 'BAD_EVENT_QUEUE_ID' })
    assert.deepEqual(texts(await process.collect(firstIdOf(7))), ['7.0'])
  })

  it('does not read the log again for a client without events', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    for (let index = 0; index < 5000; index += 1) log.commit([2], 'for another user')
    await process.collect(0)
    const { reads } = log

    for (let poll = 0; poll < 10; poll += 1) {
      process.publish(log.commit([2], 'for another user').seq)
      assert.deepEqual((await process.collect(0)).events, [])
    }

    assert.equal(log.reads, reads)
  })

  it('requests a new log entry when the ids after one are used up', async () => {
    const log = new SampleLog()
    const process = new Process(log)
    let cursor = 0
    const ids: number[] = []

    for (let round = 0; round < 2 * idsPerEntry; round += 1) {
      await process.collect(cursor)
      const id = process.delivery.ephemeralId(process.live)
      if (id === undefined) {
        await Promise.resolve()
        process.publish(log.records.length)
        continue
      }
      ids.push(id)
      cursor = id
    }

    assert.ok(ids.length >= 2 * idsPerEntry - 4)
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
  })

  it('answers a poll at once if its client has disconnected, or while the server drains', async () => {
    const process = new Process(new SampleLog())
    const ignore = (): void => {}
    const poll = (onDisconnect: (listener: () => void) => () => void): LongPoll =>
      new LongPoll(process.delivery, process.live, 0, onDisconnect, process.clock, 45)
    const gone = (listener: () => void): (() => void) => {
      listener()
      return ignore
    }

    assert.deepEqual(await poll(gone).answer, [])
    assert.equal(process.live.consumer, undefined)
    process.delivery.drain()
    assert.deepEqual(await poll(() => ignore).answer, [])
  })

  it('removes queues of logs that it no longer reads', async () => {
    const process = new Process(new SampleLog())
    await process.collect(0)
    process.delivery.logs.start()

    process.clock.jump(14 * 60)
    process.clock.fire(0.25)
    const early = process.delivery.find('epoch-queue')
    await eventLoopTick()
    process.clock.jump(120)
    process.clock.fire(0.25)

    assert.notEqual(early, undefined)
    assert.equal(process.delivery.find('epoch-queue'), undefined)
    process.delivery.close()
  })

  it('delivers every event to every client once and in order, whatever happens in between', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('commit'),
          copies: fc.integer({ min: 0, max: 3 }),
          forUs: fc.boolean(),
        }),
      },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('poll'),
          at: fc.nat(2),
          answerIsLost: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('publish'), at: fc.nat(2), seq: fc.nat(40) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('whisper'), at: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('beat'), at: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('restart'), at: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('down'), isDown: fc.boolean() }) },
    ) as fc.Arbitrary<Step>

    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), runStory), {
      numRuns: 300,
      seed: 42,
    })
  })
})

type Step =
  | { do: 'commit'; copies: number; forUs: boolean }
  | { do: 'poll'; at: number; answerIsLost: boolean }
  | { do: 'publish'; at: number; seq: number }
  | { do: 'whisper' | 'beat' | 'restart'; at: number }
  | { do: 'down'; isDown: boolean }

/** One client polls three processes that share one log, between all other steps. */
async function runStory(steps: readonly Step[]): Promise<void> {
  const log = new SampleLog()
  const processes = Array.from({ length: 3 }, () => new Process(log))
  const expected: string[] = []
  const received: string[] = []
  let cursor = 0

  const poll = async (process: Process, answerIsLost: boolean): Promise<void> => {
    const head = log.records.length
    // The process reads everything that was committed before the poll.
    process.publish(head)
    let events: ReturnType<typeof parsed>
    try {
      const seen = await process.delivery.logs.headSeq(organizationId, head)
      assert.equal(seen, head)
      events = parsed(await process.collect(cursor))
    } catch (error) {
      if (log.isDown) return
      throw error
    }
    if (answerIsLost) return
    for (const { id, text, type } of events) {
      assert.ok(id > cursor, `${id} after ${cursor}`)
      cursor = id
      if (type === 'note') received.push(text)
    }
  }

  for (const step of steps) {
    if (step.do === 'commit') {
      const text = String(log.records.length)
      log.commit([step.forUs ? 1 : 2], text, step.copies)
      if (step.forUs) {
        for (let copy = 0; copy < step.copies; copy += 1) expected.push(`${text}.${copy}`)
      }
    } else if (step.do === 'down') {
      log.isDown = step.isDown
    } else {
      const process = processes[step.at] as Process
      if (step.do === 'poll') await poll(process, step.answerIsLost)
      if (step.do === 'publish') process.publish(step.seq)
      if (step.do === 'whisper') {
        process.say('')
      }
      if (step.do === 'beat') {
        await poll(process, false)
        const id = process.delivery.ephemeralId(process.live)
        if (id !== undefined && !log.isDown) {
          assert.ok(id > cursor, `heartbeat ${id} after ${cursor}`)
          cursor = id
        }
      }
      if (step.do === 'restart') {
        processes[step.at] = new Process(log, sampleQueue(), process.live.use)
      }
    }
  }
  log.isDown = false
  for (const process of processes) await poll(process, false)

  assert.deepEqual(received, expected)
}
