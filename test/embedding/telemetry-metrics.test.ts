import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, it } from 'node:test'

import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { MetricMessage } from '@parley/core'

import { measures, observed } from '../../packages/core/src/kernel/telemetry/metrics.js'
import { park } from '../support/event-calls.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { until } from '../support/waiting.js'

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
const provider = new MeterProvider({ readers: [reader] })
after(() => provider.shutdown())

/** The metrics as they are now, by name. */
async function collect(): Promise<ReadonlyMap<string, MetricData>> {
  exporter.reset()
  await reader.forceFlush()
  const scopes = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
  // That of the newest server: those of others stay as they were.
  const metrics = scopes.findLast((scope) => scope.metrics.length > 0)?.metrics ?? []
  return new Map(metrics.map((metric) => [metric.descriptor.name, metric]))
}

/** The value for these attributes; the number of values of a histogram. */
function valueOf(metric: MetricData | undefined, attributes: object = {}): number | undefined {
  const wanted = JSON.stringify(attributes)
  const point = metric?.dataPoints.find((one) => JSON.stringify(one.attributes) === wanted)
  const value = point?.value
  return typeof value === 'object' ? value.count : value
}

function backlogOf(metrics: ReadonlyMap<string, MetricData>, work: string): number | undefined {
  return valueOf(metrics.get('parley.backlog'), { 'parley.work': work })
}

/** Lets the metrics of the database be read again. */
async function readAgain({ host, clock }: HostCase, isDone: () => Promise<boolean>): Promise<void> {
  await host.chat.health()
  clock.advance(16)
  await until('the metrics of the database', isDone)
}

let meterNumber = 0

everyDatabase(
  'metrics of OpenTelemetry',
  'koa',
  (at) => {
    it('count operations by status, commits, and what waits', async () => {
      const { alice, bob } = at.people
      const { queueId: queue_id, lastEventId: last_event_id } = await bob.listen({
        event_types: ['message'],
      })
      const poll = await park(bob, at.clock, { queue_id, last_event_id })

      const parked = await collect()
      await alice.whisper([bob], 'one')
      await alice.post('/messages', { type: 'direct', to: [0], content: 'refused' })
      await poll.answer
      const metrics = await collect()

      assert.equal(valueOf(parked.get('parley.queues')), 1)
      assert.equal(valueOf(parked.get('parley.polls')), 1)
      assert.equal(valueOf(metrics.get('parley.polls')), 0)
      assert.equal(valueOf(parked.get('parley.sockets')), 0)
      assert.equal(valueOf(metrics.get('parley.log.lag')), 0)
      const duration = metrics.get('parley.operation.duration')
      const statusOf = (status: number): number | undefined =>
        valueOf(duration, { 'parley.operation': 'send-message', 'parley.status': status })
      assert.equal(statusOf(200), 1)
      assert.equal(statusOf(400), 1)
      assert.equal(duration?.descriptor.unit, 's')
      assert.ok(Number(valueOf(metrics.get('parley.commit.duration'))) >= 1)
      assert.ok(Number(valueOf(metrics.get('parley.delivery.lag'))) >= 1)
      const reads = { 'parley.cache': 'organizations', 'parley.outcome': 'hit' }
      assert.ok(Number(valueOf(metrics.get('parley.cache.reads'), reads)) > 0)
    })

    it('count due work that is not done, and the entries of the log', async () => {
      const { alice, bob } = at.people
      await readAgain(at, async () => backlogOf(await collect(), 'scheduled_messages') === 0)
      const before = valueOf((await collect()).get('parley.log.entries')) ?? assert.fail()
      for (const content of ['one', 'two']) await alice.whisper([bob], content)
      await readAgain(
        at,
        async () => Number(valueOf((await collect()).get('parley.log.entries'))) >= before + 2,
      )

      const metrics = await collect()
      const works = metrics.get('parley.backlog')?.dataPoints.map(({ attributes }) => attributes)
      assert.deepEqual(
        works?.map((attributes) => attributes['parley.work']),
        [
          'scheduled_messages',
          'reminders',
          'push_notifications',
          'bot_webhook_calls',
          'consumers',
          'search_index',
        ],
      )
    })

    it('are those that are declared, with their attributes, and contain no ids', async () => {
      const { alice, bob } = at.people
      const consumer = at.host.chat.consume('metrics', { types: ['message'] }, () => {})
      await consumer.ready()
      await alice.whisper([bob], 'handled')
      await until('the consumer', async () => (await collect()).has('parley.consumer.duration'))
      await consumer.stop()

      const declared = new Map(
        [...Object.values(measures), ...Object.values(observed)].map((one) => [one.name, one]),
      )
      for (const [name, { dataPoints }] of await collect()) {
        const { attributes = assert.fail(name) } = declared.get(name as never) ?? {}
        for (const point of dataPoints) {
          assert.deepEqual(Object.keys(point.attributes), [...attributes], name)
          assert.ok(!Object.values(point.attributes).some((value) => Number(value) > 1000), name)
        }
      }
    })

    it('are published on a channel', async () => {
      const { alice, bob } = at.people
      const messages: MetricMessage[] = []
      const listener = (message: unknown): void => {
        const one = message as MetricMessage
        if (one.chat === at.host.chat) messages.push(one)
      }
      subscribe('parley:metric', listener)
      await alice.whisper([bob], 'measured')
      at.clock.advance(16)
      await until('all of them', () => messages.some(({ name }) => name === 'parley.cache.reads'))
      unsubscribe('parley:metric', listener)

      const { name, type, unit, attributes } =
        messages.find((one) => one.name === 'parley.operation.duration') ?? assert.fail()
      assert.deepEqual(
        { name, type, unit, attributes },
        {
          name: 'parley.operation.duration',
          type: 'histogram',
          unit: 's',
          attributes: { 'parley.operation': 'send-message', 'parley.status': 200 },
        },
      )
      const names = new Set(messages.map((one) => one.name))
      for (const { name: expected } of Object.values(observed)) assert.ok(names.has(expected))
    })
  },
  {
    telemetry: {
      // A meter of its own for each server: the names of the instruments are the same.
      get meter() {
        meterNumber += 1
        return provider.getMeter(`parley ${meterNumber}`)
      },
    },
  },
)
