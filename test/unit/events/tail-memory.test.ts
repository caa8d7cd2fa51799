import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { EventDelivery } from '../../../packages/core/src/events/delivery.js'
import { EventCatalogue } from '../../../packages/core/src/events/event-catalogue.js'
import type { LogEntry, LogRecord } from '../../../packages/core/src/events/log/log-entry.js'
import { OrganizationTail } from '../../../packages/core/src/events/log/organization-tail.js'
import { maxTailBytes, TailMemory } from '../../../packages/core/src/events/log/tail-memory.js'
import { LiveQueue, unused } from '../../../packages/core/src/events/queues/live-queue.js'
import { silentLogger } from '../../../packages/core/src/kernel/logger.js'
import { FakeClock } from '../../support/fake-clock.js'
import { definitions, organizationId, SampleBus, SampleLog, sampleQueue } from './sample-log.js'

const kibibyte = 1024

function unexpected(error: unknown): never {
  throw error
}

async function open(memory: TailMemory, id: number): Promise<OrganizationTail> {
  const tail = new OrganizationTail(
    id,
    new SampleLog(),
    () => {},
    unexpected,
    () => {},
    memory,
  )
  await tail.open()
  return tail
}

/** Adds entries whose texts have the given size in bytes. */
function admit(tail: OrganizationTail, count: number, bytes: number): void {
  for (let index = 0; index < count; index += 1) {
    const record: LogRecord = {
      organizationId,
      seq: tail.headSeq + 1,
      kind: 'note',
      audienceId: null,
      recipients: { userIds: [1] },
      groups: [],
      data: { text: '€'.repeat(bytes / 2), copies: 1 },
    }
    tail.admit([record])
  }
}

function held(tail: OrganizationTail): LogEntry[] {
  let seq = tail.headSeq
  while (seq > 0 && tail.reachesBackTo(seq - 1)) seq -= 1
  return [...tail.after(seq)]
}

describe('the memory of the newest entries of all organizations', () => {
  it('is at most 64 MiB, and an organization with large events drops its oldest ones', async () => {
    const memory = new TailMemory()
    const [large, small] = [await open(memory, 1), await open(memory, 2)]
    admit(small, 1000, kibibyte)

    admit(large, 3000, 40 * kibibyte)

    assert.ok(memory.heldBytes <= maxTailBytes, `${memory.heldBytes} bytes`)
    assert.ok(memory.heldBytes > maxTailBytes / 2, 'and not much less')
    assert.equal(held(small).length, 1000)
    const seqs = held(large).map(({ seq }) => seq)
    assert.ok(seqs.length < 3000)
    assert.deepEqual(
      seqs,
      seqs.map((_, index) => 3000 - seqs.length + 1 + index),
    )
    assert.equal(memory.heldBytes, large.heldBytes + small.heldBytes)
  })

  it('always holds 256 entries of each organization, or 512 KiB of larger ones', async () => {
    const memory = new TailMemory(100 * kibibyte)
    const tails = [await open(memory, 1), await open(memory, 2)]

    for (const tail of tails) admit(tail, 1000, kibibyte)

    assert.deepEqual(
      tails.map((tail) => held(tail).length),
      [256, 256],
    )
    const large = await open(memory, 3)
    admit(large, 1000, 100 * kibibyte)
    assert.ok(held(large).length > 2)
    assert.ok(large.heldBytes <= 512 * kibibyte, `${large.heldBytes} bytes`)
  })

  it('includes the renderings that are added later', async () => {
    const memory = new TailMemory(1024 * kibibyte)
    const tail = await open(memory, 1)
    admit(tail, 500, kibibyte)
    const before = memory.heldBytes

    for (const entry of tail.after(0)) entry.keepRendering('html', ['€'.repeat(2 * kibibyte)])

    assert.ok(memory.heldBytes > before)
    assert.ok(memory.heldBytes <= 1024 * kibibyte)
    assert.ok(held(tail).length < 500)
    assert.equal(memory.heldBytes, tail.heldBytes)
  })

  it('is released when an organization is closed', async () => {
    const memory = new TailMemory()
    const tail = await open(memory, 1)
    admit(tail, 5000, kibibyte)
    const [entry] = held(tail)

    tail.close()
    entry?.keepRendering('html', ['late'])
    admit(tail, 10, kibibyte)

    assert.equal(memory.heldBytes, 0)
    assert.equal(tail.headSeq, 5010)
    assert.ok(!tail.reachesBackTo(5009), 'readers continue from the database')
  })

  it('stays within its limit while clients receive every event, once and in order', async () => {
    const log = new SampleLog()
    const bus = new SampleBus()
    const options = { logPollMilliseconds: 250, maxTailBytes: 1 }
    const catalogue = new EventCatalogue(definitions)
    const clock = new FakeClock()
    const delivery = new EventDelivery(log, catalogue, bus, clock, silentLogger, options)
    await delivery.logs.watch(organizationId)
    for (let index = 0; index < 1500; index += 1) {
      bus.publishRecords(organizationId, [log.commit([1], `${index} ${'x'.repeat(200)}`)])
    }

    for (const maxCharacters of [undefined, 20_000]) {
      const live = delivery.add(
        new LiveQueue(sampleQueue({ id: `queue ${maxCharacters}` }), unused(0), clock.now()),
      )
      const texts: string[] = []
      for (let cursor = 0, hasMore = true; hasMore;) {
        const batch = await delivery.collect(live, cursor, maxCharacters)
        for (const event of batch.events) {
          texts.push((JSON.parse(event) as { text: string }).text.split(' ')[0] ?? '')
        }
        ;({ lastId: cursor, hasMore } = batch)
      }

      assert.deepEqual(
        texts,
        Array.from({ length: 1500 }, (_, index) => String(index)),
      )
    }
  })
})
