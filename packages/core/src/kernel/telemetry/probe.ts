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
  /** False once the work has ended: other work that it has started may go on. */
  isRunning: boolean
}

/** Adds facts to the message of work when it has ended. */
export interface WorkOutcome<Result> {
  readonly onResult?: (result: Result) => void
  readonly onError?: (error: unknown) => void
}

interface BegunWork<Message, Result> extends WorkOutcome<Result> {
  readonly message: Message
  readonly startedAt: number
  readonly span?: TelemetrySpan
  readonly running?: CurrentSpan
}

/** The parts that all probes of a server share. */
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
    return this.isTraced || this.duration?.isOn === true
  }

  /** Whether anything but the duration would be reported now. */
  get isTraced(): boolean {
    return this.#hasSpan || this.#channel.hasSubscribers
  }

  /** Runs work, and reports it. The work may add to its message. */
  run<Result>(
    message: Message,
    work: () => Promise<Result>,
    outcome: WorkOutcome<Result> = {},
    links: TelemetryLink[] = [],
  ): Promise<Result> {
    message.chat = this.spans.source.chat
    const startedAt = performance.now()
    const { tracer, current } = this.spans
    if (tracer === undefined || !this.#hasSpan) {
      return this.#finish(this.#start(message, work), { message, startedAt, ...outcome })
    }
    const options = this.#options(message, links)
    const name = this.#nameOf(message)
    if (this.declaration.isLeaf === true) {
      const span = tracer.startSpan(name, options)
      return this.#finish(this.#start(message, work), { message, startedAt, span, ...outcome })
    }
    return tracer.startActiveSpan(name, options, (span) => {
      const running = { span, isRunning: true }
      // A span that is not recorded needs to be known only if it hides another.
      const isKnown = span.isRecording() || current.getStore() !== undefined
      const start = (): Promise<Result> => this.#start(message, work)
      const result = isKnown ? current.run(running, start) : start()
      return this.#finish(result, { message, startedAt, span, running, ...outcome })
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

  #start<Result>(message: Message, work: () => Promise<Result>): Promise<Result> {
    if (!this.#channel.hasSubscribers) return work()
    try {
      return this.#channel.start.runStores(message, work)
    } finally {
      this.#channel.end.publish(message)
    }
  }

  /** One promise more, because each costs time if anything in the process follows contexts. */
  #finish<Result>(work: Promise<Result>, begun: BegunWork<Message, Result>): Promise<Result> {
    const { message, startedAt, span, running, onResult, onError } = begun
    return work.then(
      (result) => {
        if (running !== undefined) running.isRunning = false
        onResult?.(result)
        this.#end(message, span, startedAt)
        return result
      },
      (error: unknown) => {
        if (running !== undefined) running.isRunning = false
        message.error ??= codeOf(error)
        onError?.(error)
        this.#channel.error.publish(message)
        this.#end(message, span, startedAt)
        throw error
      },
    )
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
