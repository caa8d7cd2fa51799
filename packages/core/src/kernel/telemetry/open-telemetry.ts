/**
 * The parts of `@opentelemetry/api` that the chat uses. Its `Tracer` and `Meter` have these types, so
 * the package itself is not needed.
 */
export interface TelemetrySpan {
  setAttribute(name: string, value: AttributeValue): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
  isRecording(): boolean
  spanContext(): TelemetrySpanContext
}

/** Identifies a span, in this process or in another. */
export interface TelemetrySpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

/** A reference from a span to one that is not its parent. */
export interface TelemetryLink {
  context: TelemetrySpanContext
}

export interface TelemetrySpanOptions {
  kind?: number
  attributes?: Record<string, AttributeValue>
  links?: TelemetryLink[]
}

/** `Tracer` of `@opentelemetry/api`. */
export interface TelemetryTracer {
  startSpan(name: string, options: TelemetrySpanOptions): TelemetrySpan
  startActiveSpan<Result>(
    name: string,
    options: TelemetrySpanOptions,
    work: (span: TelemetrySpan) => Result,
  ): Result
}

export type AttributeValue = string | number | boolean | string[] | number[]
export type MetricAttributes = Record<string, string | number>

interface InstrumentOptions {
  description?: string
  unit?: string
  advice?: { explicitBucketBoundaries?: number[] }
}

export interface TelemetryCounter {
  add(value: number, attributes?: MetricAttributes): void
}

export interface TelemetryHistogram {
  record(value: number, attributes?: MetricAttributes): void
}

/** An instrument whose values are read when metrics are collected. */
export interface TelemetryObservable {
  addCallback(callback: (result: TelemetryResult) => void): void
  removeCallback(callback: (result: TelemetryResult) => void): void
}

export interface TelemetryResult {
  observe(value: number, attributes?: MetricAttributes): void
}

/** `Meter` of `@opentelemetry/api`. */
export interface TelemetryMeter {
  createCounter(name: string, options?: InstrumentOptions): TelemetryCounter
  createHistogram(name: string, options?: InstrumentOptions): TelemetryHistogram
  createObservableGauge(name: string, options?: InstrumentOptions): TelemetryObservable
  createObservableCounter(name: string, options?: InstrumentOptions): TelemetryObservable
}

/** Where the server reports what it does. */
export interface TelemetryOptions {
  /** `trace.getTracer(…)` of `@opentelemetry/api`. @default no spans */
  readonly tracer?: TelemetryTracer
  /** `metrics.getMeter(…)` of `@opentelemetry/api`. @default no metrics */
  readonly meter?: TelemetryMeter
}
