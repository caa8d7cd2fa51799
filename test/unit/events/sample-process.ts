import { EventDelivery } from '../../../packages/core/src/events/delivery.js'
import { EventCatalogue } from '../../../packages/core/src/events/event-catalogue.js'
import type { EventQueue } from '../../../packages/core/src/events/queues/event-queue.js'
import {
  LiveQueue,
  unused,
  type QueueUse,
} from '../../../packages/core/src/events/queues/live-queue.js'
import type { EventBatch } from '../../../packages/core/src/events/queues/shared-events.js'
import { FakeClock } from '../../support/fake-clock.js'
import {
  definitions,
  organizationId,
  SampleBus,
  type SampleLog,
  sampleQueue,
} from './sample-log.js'

export const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** One process that serves one queue. */
export class Process {
  readonly bus = new SampleBus()
  readonly clock = new FakeClock()
  readonly delivery: EventDelivery
  live: LiveQueue

  constructor(
    readonly log: SampleLog,
    queue: EventQueue = sampleQueue(),
    use: QueueUse = unused(queue.createdSeq),
  ) {
    const options = { logPollMilliseconds: 250 }
    const catalogue = new EventCatalogue(definitions)
    this.delivery = new EventDelivery(log, catalogue, this.bus, this.clock, silent, options)
    this.bus.subscribe({
      onRecords() {},
      onHead() {},
      onEphemeral: (event) => this.delivery.deliverEphemeral(event),
    })
    this.live = this.delivery.add(new LiveQueue(queue, use, this.clock.now()))
  }

  async collect(cursor: number): Promise<EventBatch> {
    this.live.acknowledge(cursor)
    return this.delivery.collect(this.live, cursor)
  }

  /** Sends an ephemeral event. */
  say(text: string): void {
    const event = { organizationId, kind: 'whisper', userIds: [1], data: { text } }
    this.bus.publishEphemeral(event)
  }

  publish(...seqs: number[]): void {
    for (const seq of seqs) {
      const record = this.log.records[seq - 1]
      if (record !== undefined) this.bus.publishRecords(organizationId, [record])
    }
  }
}

/** The events of a batch. */
export function parsed({ events }: EventBatch): { id: number; text: string; type: string }[] {
  return events.map((text) => JSON.parse(text) as { id: number; text: string; type: string })
}

/** The texts of events in a batch. */
export function texts(batch: EventBatch): string[] {
  return parsed(batch).map(({ text }) => text)
}
