import type { AttributeValue, MetricAttributes } from './open-telemetry.js'

/** The message of a channel about a piece of work, and the content of its span. */
export interface TraceMessage {
  /** The chat server, as `createChatServer` has returned it. */
  chat?: object | undefined
  /** The code of the error, such as `BAD_REQUEST`; never its text. */
  error?: string
  /** Set when the work has ended. */
  durationSeconds?: number
}

/** A call of an operation: a request, or a call of the application's own code. */
export interface OperationMessage extends TraceMessage {
  readonly operation: string
  readonly via: 'http' | 'application'
  /** Undefined if the call concerns no organization, and until it is known. */
  organizationId?: number
  /** The HTTP status of the response, also of calls in the process. Set when the work has ended. */
  status?: number
}

/** A statement, as it is sent to the database: `?` stands for each value. */
export interface StatementMessage extends TraceMessage {
  readonly system: string
  readonly text: string
}

/** A transaction that one or more writes share. */
export interface CommitMessage extends TraceMessage {
  /** Number of writes that share the transaction; those that have failed or were refused included. */
  readonly writes: number
  /** At most ten. */
  readonly organizationIds: number[]
  /** Number of entries that were added to the logs. Set when the work has ended. */
  entries?: number
}

/** A delivery: queues whose long polls and WebSockets got events, one after the other. */
export interface DeliveryMessage extends TraceMessage {
  /** Number of queues. Set when the work has ended. */
  queues?: number
}

/** An entry of the log that a durable consumer, or a webhook, handles. */
export interface ConsumerMessage extends TraceMessage {
  readonly consumer: string
  readonly event: string
  readonly organizationId: number
  readonly seq: number
  readonly attempt: number
}

/** A kind of span: its name, attributes by the keys of its message, and when it exists. */
export interface SpanDeclaration<Message extends TraceMessage> {
  /** After `parley:`, the name of its channel. */
  readonly channel: string
  /** In place of the name of the channel after `parley.`, as the name of the span. */
  readonly nameOf?: (message: Message) => string
  /** OpenTelemetry's `SpanKind`. */
  readonly kind: number
  /** Whether no work within it has spans. */
  readonly isLeaf?: boolean
  /** Whether there is a span only if another one of the chat is recorded. */
  readonly needsParent?: boolean
  readonly attributes: Readonly<Partial<Record<keyof Message, string>>>
  /** Attributes of the histogram of its duration. */
  readonly metricAttributes?: (message: Message) => MetricAttributes
  /** Whether the work has failed, rather than refused something. */
  readonly hasFailed?: (message: Message) => boolean
}

const internalKind = 0
const clientKind = 2
const consumerKind = 4

export const operationSpan: SpanDeclaration<OperationMessage> = {
  channel: 'operation',
  nameOf: ({ operation }) => operation,
  kind: internalKind,
  attributes: {
    operation: 'parley.operation',
    via: 'parley.via',
    organizationId: 'parley.organization_id',
    status: 'parley.status',
    error: 'parley.error',
  },
  metricAttributes: ({ operation, status = 500 }) => ({
    'parley.operation': operation,
    'parley.status': status,
  }),
  hasFailed: ({ status = 500 }) => status >= 500,
}

export const statementSpan: SpanDeclaration<StatementMessage> = {
  channel: 'statement',
  kind: clientKind,
  isLeaf: true,
  needsParent: true,
  attributes: { system: 'db.system.name', text: 'db.query.text', error: 'parley.error' },
}

export const commitSpan: SpanDeclaration<CommitMessage> = {
  channel: 'commit',
  kind: internalKind,
  attributes: {
    writes: 'parley.writes',
    organizationIds: 'parley.organization_ids',
    entries: 'parley.entries',
    error: 'parley.error',
  },
  metricAttributes: () => ({}),
}

export const deliverySpan: SpanDeclaration<DeliveryMessage> = {
  channel: 'delivery',
  kind: internalKind,
  isLeaf: true,
  attributes: { queues: 'parley.queues' },
}

export const consumerSpan: SpanDeclaration<ConsumerMessage> = {
  channel: 'consumer',
  kind: consumerKind,
  attributes: {
    consumer: 'parley.consumer',
    event: 'parley.event',
    organizationId: 'parley.organization_id',
    seq: 'parley.seq',
    attempt: 'parley.attempt',
    error: 'parley.error',
  },
  metricAttributes: ({ consumer, error }) => ({
    'parley.consumer': consumer,
    'parley.outcome': error === undefined ? 'handled' : 'failed',
  }),
}

/** In the order of docs/telemetry.md. */
export const spanDeclarations = [
  operationSpan,
  statementSpan,
  commitSpan,
  deliverySpan,
  consumerSpan,
]

/** The attributes of a span whose values are known. */
export function attributesOf<Message extends TraceMessage>(
  { attributes }: SpanDeclaration<Message>,
  message: Message,
): Record<string, AttributeValue> {
  const known: Record<string, AttributeValue> = {}
  for (const key in attributes) {
    const name = attributes[key]
    // The values of the keys that the declarations name are of these types.
    const value = message[key] as AttributeValue | undefined
    if (name !== undefined && value !== undefined) known[name] = value
  }
  return known
}
