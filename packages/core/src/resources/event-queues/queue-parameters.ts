import { Type, type Static } from 'typebox'

import { Bounded } from '../../domain/bounded-schemas.js'
import { limits } from '../../domain/limits.js'
import { maxNarrowTerms } from '../../domain/narrow.js'
import { badRequest } from '../../errors/index.js'
import type { EventQueueOptions } from '../../events/event-queue.js'

/** Types of events, of which there are fewer, and with shorter names. */
const EventTypes = Type.Array(Bounded.name({ maxLength: 100 }), { maxItems: 200 })

const capability = Type.Optional(Type.Boolean())

/** `client_capabilities`: keys that are not known are ignored. */
const Capabilities = Type.Object(
  {
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
  },
  { additionalProperties: true, maxJsonLength: 10_000 },
)

/**
 * The parameters of `POST /register`. `GET /events` takes them too, in place of `queue_id`; those
 * that describe the snapshot have no effect there, because its answer has none.
 */
export const registrationParameters = {
  event_types: Type.Optional(Type.Union([EventTypes, Type.Null()])),
  narrow: Type.Optional(
    Type.Array(Type.Array(Bounded.name(), { minItems: 2, maxItems: 2 }), {
      maxItems: maxNarrowTerms,
    }),
  ),
  all_public_streams: Type.Optional(Type.Boolean()),
  apply_markdown: Type.Optional(Type.Boolean()),
  client_gravatar: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  slim_presence: Type.Optional(Type.Boolean()),
  include_subscribers: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false'), Type.Literal('partial')]),
  ),
  client_capabilities: Type.Optional(Capabilities),
  queue_lifespan_secs: Type.Optional(Bounded.count()),
  fetch_event_types: Type.Optional(Type.Union([EventTypes, Type.Null()])),
  presence_history_limit_days: Type.Optional(Bounded.count()),
}

export type RegistrationParameters = Static<
  ReturnType<typeof Type.Object<typeof registrationParameters>>
>

const includedSubscribers = { true: true, false: false, partial: 'partial' } as const

const narrowOperators = new Set(['channel', 'stream', 'topic', 'sender', 'is'])

/**
 * @throws {ChatError} `BAD_REQUEST` if the narrow has an operator that queues do not know, or a
 *   guest asks for all public channels.
 */
export function queueOptionsOf(
  params: RegistrationParameters,
  caller: { isGuest: boolean; clientName: string; defaultIdleSeconds: number },
): EventQueueOptions {
  const narrow = (params.narrow ?? []) as [string, string][]
  for (const [operator, operand] of narrow) {
    if (!narrowOperators.has(operator)) throw badRequest(`Operator ${operator} not supported.`)
    if (operator === 'is' && operand === 'followed') {
      throw badRequest('Operand followed not supported.')
    }
  }
  const allPublicStreams = params.all_public_streams ?? false
  if (allPublicStreams && caller.isGuest) {
    throw badRequest('User not authorized for this query')
  }
  const lifespan = params.queue_lifespan_secs ?? 0
  return {
    eventTypes: params.event_types ?? null,
    narrow,
    allPublicStreams,
    applyMarkdown: params.apply_markdown ?? false,
    clientGravatar: params.client_gravatar ?? true,
    slimPresence: params.slim_presence ?? false,
    includeSubscribers: includedSubscribers[params.include_subscribers ?? 'false'],
    capabilities: params.client_capabilities ?? {},
    clientName: caller.clientName,
    idleTimeoutSeconds:
      lifespan === 0 ? caller.defaultIdleSeconds : Math.min(lifespan, limits.maxQueueIdleSeconds),
  }
}
