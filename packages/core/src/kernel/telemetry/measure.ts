import { channel, type Channel } from 'node:diagnostics_channel'

import type { MetricAttributes, TelemetryMeter } from './open-telemetry.js'

/** A metric as the page docs/telemetry.md lists it. */
export interface MetricDeclaration {
  readonly name: string
  readonly type: 'histogram' | 'counter' | 'gauge'
  readonly unit: string
  readonly meaning: string
  readonly attributes: readonly string[]
}

/** The server that reports something. */
export interface TelemetrySource {
  /** Undefined until it is composed. */
  chat: object | undefined
}

/** A message of the channel `parley:metric`. */
export interface MetricMessage {
  /** The chat server, as `createChatServer` has returned it. */
  readonly chat: object | undefined
  readonly name: string
  readonly type: MetricDeclaration['type']
  readonly unit: string
  readonly value: number
  readonly attributes: MetricAttributes
}

/** Steps of the histograms, in seconds: those that OpenTelemetry recommends for requests. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const noAttributes: MetricAttributes = {}

/** Without any subscriber, publishing is one check. */
export const metricChannel: Channel = channel('parley:metric')

/** A counter or a histogram, whose values are reported when they occur. */
export class Measure {
  readonly #record: ((value: number, attributes: MetricAttributes) => void) | undefined

  constructor(
    private readonly declaration: MetricDeclaration,
    meter: TelemetryMeter | undefined,
    private readonly source: TelemetrySource,
  ) {
    if (meter === undefined) return
    const { name, type, unit, meaning: description } = declaration
    if (type === 'counter') {
      const counter = meter.createCounter(name, { unit, description })
      this.#record = (value, attributes) => counter.add(value, attributes)
    } else {
      const advice = { explicitBucketBoundaries: [...boundaries] }
      const histogram = meter.createHistogram(name, { unit, description, advice })
      this.#record = (value, attributes) => histogram.record(value, attributes)
    }
  }

  /** Whether anything would be reported now. */
  get isOn(): boolean {
    return this.#record !== undefined || metricChannel.hasSubscribers
  }

  /** @param attributes each must have few values: never ids of users, never texts of users. */
  record(value: number, attributes: MetricAttributes = noAttributes): void {
    this.#record?.(value, attributes)
    publishMetric(this.source, this.declaration, value, attributes)
  }
}

/** Publishes a value on the channel, if anything has subscribed to it. */
export function publishMetric(
  { chat }: TelemetrySource,
  { name, type, unit }: MetricDeclaration,
  value: number,
  attributes: MetricAttributes,
): void {
  if (!metricChannel.hasSubscribers) return
  metricChannel.publish({ chat, name, type, unit, value, attributes } satisfies MetricMessage)
}
