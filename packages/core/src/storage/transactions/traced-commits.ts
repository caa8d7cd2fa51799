import { AsyncResource } from 'node:async_hooks'

import type { TelemetrySpanContext } from '../../kernel/telemetry/open-telemetry.js'
import type { CommitMessage } from '../../kernel/telemetry/spans.js'
import type { Telemetry } from '../../kernel/telemetry/telemetry.js'

const maxListedOrganizations = 10
/** OpenTelemetry's own limit of the links of a span is 128. */
const maxLinks = 100

/** Where a write comes from. */
export interface WriteOrigin {
  /** Its asynchronous context, with the active span of the application's tracer. */
  readonly context: AsyncResource
  readonly span: TelemetrySpanContext | undefined
}

interface TracedWrite {
  readonly organizationId: number
  readonly origin: WriteOrigin | undefined
}

/**
 * Reports the transactions that writes share. The span of one is a child of the span in which its
 * first write was begun, and linked to those of the others.
 */
export class TracedCommits {
  constructor(private readonly telemetry: Telemetry) {}

  /** The origin of a write that is begun now; undefined if no span is. */
  origin(): WriteOrigin | undefined {
    if (!this.telemetry.commits.isTraced) return undefined
    const context = new AsyncResource('ParleyWrite', { requireManualDestroy: true })
    return { context, span: this.telemetry.spanContext }
  }

  /** Runs one attempt to commit writes together. */
  run<Result>(
    writes: readonly TracedWrite[],
    attempt: (message?: CommitMessage) => Promise<Result>,
  ): Promise<Result> {
    const { commits } = this.telemetry
    if (!commits.isOn) return attempt()
    const message: CommitMessage = {
      writes: writes.length,
      organizationIds: organizationsOf(writes),
    }
    const run = (): Promise<Result> =>
      commits.run(message, () => attempt(message), {}, linksOf(writes))
    const context = writes[0]?.origin?.context
    return context === undefined ? run() : context.runInAsyncScope(run)
  }
}

function organizationsOf(writes: readonly TracedWrite[]): number[] {
  return [...new Set(writes.map(({ organizationId }) => organizationId))].slice(
    0,
    maxListedOrganizations,
  )
}

function linksOf(writes: readonly TracedWrite[]): { context: TelemetrySpanContext }[] {
  const links: { context: TelemetrySpanContext }[] = []
  for (const { origin } of writes.slice(1, maxLinks + 1)) {
    if (origin?.span !== undefined) links.push({ context: origin.span })
  }
  return links
}
