import { keysOf } from '../../../kernel/objects.js'

import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { badRequest } from '../../../errors/index.js'
import type { ClientCapabilities, EventQueueOptions } from '../../../events/queues/event-queue.js'

const capability = Type.Optional(Type.Boolean())

const capabilities = {
  notification_settings_null: Type.Boolean(),
  bulk_message_deletion: capability,
  user_avatar_url_field_optional: capability,
  stream_typing_notifications: capability,
  user_settings_object: capability,
  linkifier_url_template: capability,
  user_list_incomplete: capability,
  include_deactivated_groups: capability,
  archived_channels: capability,
  empty_topic_name: capability,
  simplified_presence_events: capability,
} satisfies Record<keyof ClientCapabilities, unknown>

const capabilityNames = keysOf(capabilities)

/** `client_capabilities`: unknown keys are ignored, and not stored. */
const Capabilities = Type.Object(capabilities, {
  additionalProperties: true,
  maxJsonLength: 10_000,
})

const EventTypes = Type.Union([
  Type.Array(Type.String({ maxLength: limits.maxEventTypeLength }), {
    maxItems: limits.maxEventTypes,
  }),
  Type.Null(),
])

const narrowText = Type.String({ maxLength: limits.maxQueueNarrowTextLength })

const queueOperators = ['channel', 'topic', 'sender', 'is'] as const

/** The schema of a term of a queue's narrow; {@link queueOptionsOf} checks the operator. */
export const QueueTerm = Type.Tuple([
  Type.Union(queueOperators.map((operator) => Type.Literal(operator))),
  narrowText,
])

/**
 * The parameters of `POST /register`. `GET /events` also accepts them, in place of `queue_id`;
 * those that describe the snapshot have no effect there, because its response has none.
 */
export const registrationParameters = {
  event_types: Type.Optional(EventTypes),
  narrow: Type.Optional(
    Type.Array(Type.Array(narrowText, { minItems: 2, maxItems: 2, component: 'QueueTerm' }), {
      maxItems: limits.maxQueueNarrowTerms,
    }),
  ),
  all_public_streams: Type.Optional(Type.Boolean()),
  apply_markdown: Type.Optional(Type.Boolean()),
  client_gravatar: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  slim_presence: Type.Optional(Type.Boolean()),
  include_subscribers: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false'), Type.Literal('partial')], {
      orJson: Type.Boolean(),
    }),
  ),
  client_capabilities: Type.Optional(Capabilities),
  queue_lifespan_secs: Type.Optional(Bounded.count()),
  fetch_event_types: Type.Optional(EventTypes),
  presence_history_limit_days: Type.Optional(Bounded.count()),
}

export type RegistrationParameters = Static<
  ReturnType<typeof Type.Object<typeof registrationParameters>>
>

const includedSubscribers = { true: true, false: false, partial: 'partial' } as const

/** With the name that older clients send. */
const acceptedOperators: ReadonlySet<string> = new Set([...queueOperators, 'stream'])

/**
 * @throws {ChatError} `BAD_REQUEST` if queues do not support an operator of the narrow, or a guest
 *   requests all public channels.
 */
export function queueOptionsOf(
  params: RegistrationParameters,
  caller: { isGuest: boolean; clientName: string; defaultIdleSeconds: number },
): EventQueueOptions {
  const narrow = (params.narrow ?? []).map(
    ([operator = '', operand = '']) => [operator, operand] as const,
  )
  for (const [operator, operand] of narrow) {
    if (!acceptedOperators.has(operator))
      throw badRequest('QUEUE_OPERATOR_NOT_SUPPORTED', { operator })
    if (operator === 'is' && operand === 'followed') {
      throw badRequest('QUEUE_OPERAND_NOT_SUPPORTED')
    }
  }
  const allPublicStreams = params.all_public_streams ?? false
  if (allPublicStreams && caller.isGuest) {
    throw badRequest('USER_QUERY_NOT_ALLOWED')
  }
  const longest = caller.isGuest ? limits.maxGuestQueueIdleSeconds : limits.maxQueueIdleSeconds
  return {
    eventTypes: params.event_types ?? null,
    narrow: distinctPairs(narrow),
    allPublicStreams,
    applyMarkdown: params.apply_markdown ?? false,
    clientGravatar: params.client_gravatar ?? true,
    slimPresence: params.slim_presence ?? false,
    includeSubscribers: includedSubscribers[params.include_subscribers ?? 'false'],
    capabilities: knownCapabilities(params.client_capabilities ?? {}),
    clientName: caller.clientName,
    idleTimeoutSeconds: Math.min(params.queue_lifespan_secs || caller.defaultIdleSeconds, longest),
  }
}

/** Keeps only the capabilities that the server uses: others need not be stored with the queue. */
function knownCapabilities(requested: Readonly<Record<string, unknown>>): ClientCapabilities {
  return Object.fromEntries(
    capabilityNames.flatMap((name) =>
      typeof requested[name] === 'boolean' ? [[name, requested[name]]] : [],
    ),
  )
}

function distinctPairs(narrow: EventQueueOptions['narrow']): EventQueueOptions['narrow'] {
  return [...new Map(narrow.map((pair) => [JSON.stringify(pair), pair])).values()]
}
