import type { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'

import { codeOf } from './error-code.js'
import type { Measure, TelemetrySource } from './measure.js'
import type { TelemetryLink, TelemetrySpan, TelemetryTracer } from './open-telemetry.js'
import { attributesOf, type SpanDeclaration, type TraceMessage } from './spans.js'

const errorStatus = 2

/** A span of the chat within which other work happens. */
export interface CurrentSpan {
  readonly span: TelemetrySpan
  /** False once the work has ended: what it has started may go on. */
  isRunning: boolean
}

/** What all probes of a server share. */
export interface Spans {
  readonly tracer: TelemetryTracer | undefined
  /** Used only with a tracer. */
  readonly current: AsyncLocalStorage<CurrentSpan>
  readonly source: TelemetrySource
}

/** Reports one kind of work: as spans, on a channel of `node:diagnostics_channel`, and its duration. */
export class Probe<Message extends TraceMessage> {
  readonly #channel: TracingChannel<Message, Message>

  constructor(
    private readonly declaration: SpanDeclaration<Message>,
    private readonly spans: Spans,
    private readonly duration?: Measure,
  ) {
    this.#channel = tracingChannel<Message, Message>(`parley:${declaration.channel}`)
  }

  /** Whether anything would be reported now. Look at it first: a message is an allocation. */
  get isOn(): boolean {
    return this.#hasSpan || this.#channel.hasSubscribers || this.duration?.isOn === true
  }

  /** Runs work, and reports it. The work may add to its message. */
  async run<Result>(
    message: Message,
    work: () => Promise<Result>,
    links: TelemetryLink[] = [],
  ): Promise<Result> {
    message.chat = this.spans.source.chat
    const { tracer, current } = this.spans
    if (tracer === undefined || !this.#hasSpan) return this.#observe(message, undefined, work)
    const options = this.#options(message, links)
    const name = this.#nameOf(message)
    if (this.declaration.isLeaf === true) {
      return this.#observe(message, tracer.startSpan(name, options), work)
    }
    return tracer.startActiveSpan(name, options, async (span) => {
      const running = { span, isRunning: true }
      try {
        return await current.run(running, () => this.#observe(message, span, work))
      } finally {
        running.isRunning = false
      }
    })
  }

  /** Reports work from now until the returned function is called, which may be in a later tick. */
  begin(message: Message): () => void {
    message.chat = this.spans.source.chat
    const { tracer } = this.spans
    const span = this.#hasSpan
      ? tracer?.startSpan(this.#nameOf(message), this.#options(message, []))
      : undefined
    const startedAt = performance.now()
    this.#channel.start.publish(message)
    this.#channel.end.publish(message)
    return () => this.#end(message, span, startedAt)
  }

  get #hasSpan(): boolean {
    const { tracer, current } = this.spans
    if (tracer === undefined || this.declaration.needsParent !== true) return tracer !== undefined
    const parent = current.getStore()
    return parent !== undefined && parent.isRunning && parent.span.isRecording()
  }

  #nameOf(message: Message): string {
    const { channel, nameOf } = this.declaration
    return `parley.${nameOf === undefined ? channel : nameOf(message)}`
  }

  #options(message: Message, links: TelemetryLink[]) {
    const attributes = attributesOf(this.declaration, message)
    return { kind: this.declaration.kind, attributes, links }
  }

  async #observe<Result>(
    message: Message,
    span: TelemetrySpan | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = performance.now()
    try {
      const result = this.#channel.start.runStores(message, work)
      this.#channel.end.publish(message)
      return await result
    } catch (error) {
      message.error ??= codeOf(error)
      this.#channel.error.publish(message)
      throw error
    } finally {
      this.#end(message, span, startedAt)
    }
  }

  #end(message: Message, span: TelemetrySpan | undefined, startedAt: number): void {
    const { declaration, duration } = this
    const seconds = (performance.now() - startedAt) / 1000
    message.durationSeconds = seconds
    this.#channel.asyncStart.publish(message)
    this.#channel.asyncEnd.publish(message)
    if (duration?.isOn === true) {
      duration.record(seconds, declaration.metricAttributes?.(message))
    }
    if (span === undefined) return
    if (span.isRecording()) {
      const attributes = attributesOf(declaration, message)
      for (const name in attributes) span.setAttribute(name, attributes[name] ?? '')
      const hasFailed = declaration.hasFailed ?? (({ error }) => error !== undefined)
      if (hasFailed(message)) {
        span.setStatus({ code: errorStatus, ...(message.error && { message: message.error }) })
      }
    }
    span.end()
  }
}
