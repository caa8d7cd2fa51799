import { subscribe, unsubscribe } from 'node:diagnostics_channel'

import type { TelemetryOptions } from '@parley/core'
import { context, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  NodeTracerProvider,
  NoopSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { messageContent, recipientCount } from '../harness/hand-written-send.js'
import { startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import { processorSeconds, processorSecondsSince } from '../harness/processor-time.js'
import { registerQueues } from '../harness/queues.js'
import type { Result, Row } from '../harness/row.js'
import { addHistory, openSeeding } from '../harness/seed.js'
import { getRequest } from '../load/http-connection.js'

const plan = { users: recipientCount, subscribers: [recipientCount] }
const sendsPerSample = 200
const sendsAtOnce = 10
const connectionCount = 20
const sampleMilliseconds = 300
/** Many short ones: the differences are smaller than what else happens on a machine. */
const roundCount = 41

/** What is on; on the other side, nothing is. */
interface Case {
  readonly name: string
  readonly start: (opened: CleanUp) => TelemetryOptions
  readonly aim?: Result['aim']
}

const traced =
  (ratio: number) =>
  (opened: CleanUp): TelemetryOptions => {
    const root = ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio)
    const provider = new NodeTracerProvider({
      sampler: new ParentBasedSampler({ root }),
      spanProcessors: [new NoopSpanProcessor()],
    })
    opened.add(() => provider.shutdown())
    return { tracer: provider.getTracer('parley') }
  }

function metered(opened: CleanUp): TelemetryOptions {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
  const provider = new MeterProvider({ readers: [reader] })
  opened.add(() => provider.shutdown())
  return { meter: provider.getMeter('parley') }
}

const cases: readonly Case[] = [
  { name: 'nothing', start: () => ({}), aim: { atLeast: 0.95 } },
  { name: 'metrics', start: metered, aim: { atLeast: 0.95 } },
  {
    name: 'metrics, spans of 5 %',
    start: (opened) => ({ ...metered(opened), ...traced(0.05)(opened) }),
    aim: { atLeast: 0.95 },
  },
  { name: 'spans of everything', start: traced(1) },
]

/** The processor time of sends and polls with telemetry, against the same without. */
export const telemetryRows: readonly Row[] = [
  ...cases.map((one) => ({
    name: `telemetry: ${one.name}`,
    run: async () => [await measureSends(one), await measurePolls(one)],
  })),
  { name: 'telemetry: channels', run: async () => [await measureChannel()] },
]

/** As a product that uses OpenTelemetry has it: its asynchronous contexts cost time, too. */
function registerContexts(opened: CleanUp): void {
  const provider = new NodeTracerProvider()
  provider.register()
  // Node follows contexts from the first one on.
  provider.getTracer('host').startActiveSpan('start', (span) => span.end())
  opened.add(async () => {
    await provider.shutdown()
    trace.disable()
    context.disable()
  })
}

function measureSends({ name, start, aim }: Case): Promise<Result> {
  return withCleanUp(async (opened) => {
    registerContexts(opened)
    const without = await startSends(opened, {})
    const withTelemetry = await startSends(opened, start(opened))
    const rounds = await interleave(without, withTelemetry, roundCount)
    return {
      name: `telemetry: sends, ${name}`,
      unit: 'messages/CPU s',
      floor: series(rounds.floor, 'perSecond'),
      ours: series(rounds.ours, 'perSecond'),
      aim,
    }
  })
}

/** A subscriber of a channel concerns every server of the process. */
function measureChannel(): Promise<Result> {
  return withCleanUp(async (opened) => {
    const send = await startSends(opened, {})
    const listener = (): void => {}
    const names = ['operation', 'commit'].map((kind) => `tracing:parley:${kind}:asyncEnd`)
    const rounds = await interleave(send, async () => {
      for (const name of names) subscribe(name, listener)
      const sample = await send()
      for (const name of names) unsubscribe(name, listener)
      return sample
    })
    return {
      name: 'telemetry: sends, channels of operations and commits',
      unit: 'messages/CPU s',
      floor: series(rounds.floor, 'perSecond'),
      ours: series(rounds.ours, 'perSecond'),
      aim: { atLeast: 0.95 },
    }
  })
}

async function startSends(
  opened: CleanUp,
  options: TelemetryOptions,
): Promise<() => Promise<Sample>> {
  const database = await sqlite.create(opened)
  const { chat } = await startChat(opened, database, plan, {
    logPollMilliseconds: 0,
    telemetry: options,
  })
  const { api } = chat.as({ userId: 1 })
  const draft = { type: 'channel', to: 1, topic: 'greetings', content: messageContent } as const
  await api.sendMessage(draft)
  await addHistory(openSeeding(opened, database), recipientCount)
  return async () => {
    const seconds = await processorSeconds(async () => {
      for (let sent = 0; sent < sendsPerSample; sent += sendsAtOnce) {
        await Promise.all(Array.from({ length: sendsAtOnce }, () => api.sendMessage(draft)))
      }
    })
    return { perSecond: sendsPerSample / seconds }
  }
}

function measurePolls({ name, start, aim }: Case): Promise<Result> {
  return withCleanUp(async (opened) => {
    registerContexts(opened)
    const load = new LoadClient(opened)
    const without = await startPolls(opened, load, {})
    const withTelemetry = await startPolls(opened, load, start(opened))
    const rounds = await interleave(without, withTelemetry, roundCount)
    return {
      name: `telemetry: GET /events, ${name}`,
      unit: 'requests/CPU s',
      floor: series(rounds.floor, 'perSecond'),
      ours: series(rounds.ours, 'perSecond'),
      aim,
    }
  })
}

async function startPolls(
  opened: CleanUp,
  load: LoadClient,
  options: TelemetryOptions,
): Promise<() => Promise<Sample>> {
  const database = await sqlite.create(opened)
  const host = await startChat(opened, database, plan, { telemetry: options })
  const queues = await registerQueues(load, host.port, numbers(connectionCount))
  const connections = queues.map(({ userId, queueId, lastEventId }) => [
    getRequest(
      `/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}&dont_block=true`,
      authorizationOf(userId),
    ),
  ])
  return async () => {
    const start = process.cpuUsage()
    const { count } = await load.call('keepBusy', {
      port: host.port,
      connections,
      milliseconds: sampleMilliseconds,
    })
    return { perSecond: count / processorSecondsSince(start) }
  }
}
