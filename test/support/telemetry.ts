import { context, trace, type Tracer } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node'

/** OpenTelemetry's own SDK, as an application registers it, with its spans in memory. */
export class RecordedSpans {
  readonly #exporter = new InMemorySpanExporter()
  readonly #provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(this.#exporter)],
  })
  readonly tracer: Tracer

  constructor() {
    this.#provider.register()
    this.tracer = this.#provider.getTracer('parley')
  }

  /** The spans that have ended, in the order of their ends. */
  get ended(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans()
  }

  get names(): readonly string[] {
    return this.ended.map(({ name }) => name)
  }

  clear(): void {
    this.#exporter.reset()
  }

  async stop(): Promise<void> {
    await this.#provider.shutdown()
    trace.disable()
    context.disable()
  }
}

export function childrenOf(
  spans: readonly ReadableSpan[],
  parent: ReadableSpan,
): readonly ReadableSpan[] {
  const { traceId, spanId } = parent.spanContext()
  return spans.filter(
    (span) => span.parentSpanContext?.spanId === spanId && span.spanContext().traceId === traceId,
  )
}
