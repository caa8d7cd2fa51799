import { AsyncLocalStorage } from 'node:async_hooks'

import { LRUCache } from 'lru-cache'

import {
  Measure,
  metricChannel,
  publishMetric,
  type MetricDeclaration,
  type TelemetrySource,
} from './measure.js'
import { measures } from './metrics.js'
import type {
  MetricAttributes,
  TelemetryMeter,
  TelemetryOptions,
  TelemetryResult,
  TelemetrySpanContext,
} from './open-telemetry.js'
import { Probe, type CurrentSpan } from './probe.js'
import { commitSpan, consumerSpan, deliverySpan, operationSpan, statementSpan } from './spans.js'

/** Entries of the log whose commits are remembered, for the spans of consumers. */
const maxRememberedEntries = 2000

/** A value of a metric that is read when metrics are collected. */
export interface Reading {
  readonly value: number
  readonly attributes?: MetricAttributes
}

/** The reports of a server about itself: spans, messages on channels, and metrics. */
export class Telemetry {
  readonly operations
  readonly statements
  readonly commits
  readonly deliveries
  readonly consumers
  readonly deliveryLag: Measure
  readonly pushes: Measure
  readonly webhookCalls: Measure
  readonly busRefusals: Measure
  readonly #current = new AsyncLocalStorage<CurrentSpan>()
  readonly #commits: LRUCache<string, TelemetrySpanContext> | undefined
  readonly #meter: TelemetryMeter | undefined
  readonly #source: TelemetrySource = { chat: undefined }
  readonly #observed: { readonly publish: () => void; readonly stop: () => void }[] = []

  constructor({ tracer, meter }: TelemetryOptions = {}) {
    const source = this.#source
    const spans = { tracer, current: this.#current, source }
    const measure = (declaration: MetricDeclaration): Measure =>
      new Measure(declaration, meter, source)
    this.#meter = meter
    if (tracer !== undefined) this.#commits = new LRUCache({ max: maxRememberedEntries })
    this.operations = new Probe(operationSpan, spans, measure(measures.operationDuration))
    this.statements = new Probe(statementSpan, spans)
    this.commits = new Probe(commitSpan, spans, measure(measures.commitDuration))
    this.deliveries = new Probe(deliverySpan, spans)
    this.consumers = new Probe(consumerSpan, spans, measure(measures.consumerDuration))
    this.deliveryLag = measure(measures.deliveryLag)
    this.pushes = measure(measures.pushes)
    this.webhookCalls = measure(measures.webhookCalls)
    this.busRefusals = measure(measures.busRefusals)
  }

  /** Names the server in its reports. */
  reportAs(chat: object): void {
    this.#source.chat = chat
  }

  /** The span of the chat that the current work is part of, if it is recorded. */
  get spanContext(): TelemetrySpanContext | undefined {
    if (this.#commits === undefined) return undefined
    const current = this.#current.getStore()
    return current?.span.isRecording() === true ? current.span.spanContext() : undefined
  }

  /** Notes that the current span has written entries of a log. */
  rememberCommit(organizationId: number, records: readonly { readonly seq: number }[]): void {
    const span = this.spanContext
    if (span === undefined) return
    for (const { seq } of records) this.#commits?.set(`${organizationId}/${seq}`, span)
  }

  /** The span that has written an entry, if it was in this process and not long ago. */
  commitOf(organizationId: number, seq: number): TelemetrySpanContext | undefined {
    return this.#commits?.get(`${organizationId}/${seq}`)
  }

  /** Whether anything reads the metrics. */
  get isMetering(): boolean {
    return this.#meter !== undefined || metricChannel.hasSubscribers
  }

  /** Adds a metric that is read when metrics are collected. `read` must be fast. */
  observe(declaration: MetricDeclaration, read: () => readonly Reading[]): void {
    const { name, type, unit, meaning: description } = declaration
    const publish = (): void => {
      for (const { value, attributes = {} } of read()) {
        publishMetric(this.#source, declaration, value, attributes)
      }
    }
    const instrument =
      type === 'counter'
        ? this.#meter?.createObservableCounter(name, { unit, description })
        : this.#meter?.createObservableGauge(name, { unit, description })
    const callback = (result: TelemetryResult): void => {
      for (const { value, attributes } of read()) result.observe(value, attributes)
    }
    instrument?.addCallback(callback)
    this.#observed.push({ publish, stop: () => instrument?.removeCallback(callback) })
  }

  /** Publishes the metrics that are read on the channel. */
  publishObserved(): void {
    if (metricChannel.hasSubscribers) for (const { publish } of this.#observed) publish()
  }

  /** Removes the callbacks from the meter. */
  close(): void {
    for (const { stop } of this.#observed.splice(0)) stop()
  }
}
