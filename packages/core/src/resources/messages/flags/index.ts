import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { clampRange, parseAnchor, parseNarrow, requireContiguous } from '../narrows/index.js'
import { AnchorParameter, NarrowParameter } from '../reading/index.js'
import { MarkAsRead } from './mark-as-read.js'
import { messageFlagsAdded, messageFlagsRemoved } from './message-flag-events.js'
import { type FlagOutcome, MessageFlagService } from './message-flag-service.js'
import { messageFlagSnapshot } from './message-flag-snapshot.js'

export { messageFlagsAdded, messageFlagsRemoved } from './message-flag-events.js'
export { NewcomerHistory } from './newcomer-history.js'
export { LeftChannels } from './left-channels.js'
export { UnreadPlaceRepository, type UnreadPlace } from './unread-place-repository.js'

const Empty = Type.Object({}, { additionalProperties: false })

const markAllAsRead = defineOperation({
  id: 'mark-all-as-read',
  summary: 'Mark all messages as read, within the time limit of a request. Deprecated.',
  method: 'POST',
  path: '/mark_all_as_read',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object(
    {
      complete: Type.Boolean({ description: 'Whether all messages are marked as read.' }),
    },
    { additionalProperties: false },
  ),
  errors: [],
  service: MarkAsRead,
  async handle(reading, { actor }) {
    return { complete: await reading.all(actor) }
  },
})

const markStreamAsRead = defineOperation({
  id: 'mark-stream-as-read',
  summary: 'Mark all messages of a channel as read. Deprecated.',
  method: 'POST',
  path: '/mark_stream_as_read',
  access: 'user',
  isPersonal: true,
  params: { stream_id: Bounded.id() },
  response: Empty,
  errors: ['BAD_REQUEST'],
  service: MarkAsRead,
  async handle(reading, { actor, params }) {
    await reading.channel(actor, params.stream_id)
    return {}
  },
})

const markTopicAsRead = defineOperation({
  id: 'mark-topic-as-read',
  summary: 'Mark all messages of a topic as read. Deprecated.',
  method: 'POST',
  path: '/mark_topic_as_read',
  access: 'user',
  isPersonal: true,
  params: { stream_id: Bounded.id(), topic_name: Bounded.topic() },
  response: Empty,
  errors: ['BAD_REQUEST'],
  service: MarkAsRead,
  async handle(reading, { actor, params }) {
    await reading.topic(actor, params.stream_id, params.topic_name)
    return {}
  },
})

const flagParameters = {
  op: Bounded.name({ description: '`add` or `remove`.' }),
  flag: Bounded.name({ description: '`read`, `starred` or `collapsed`.' }),
}

const ignoredChannelsProperty = {
  ignored_because_not_subscribed_channels: Type.Optional(
    Type.Array(Type.Integer(), {
      description:
        'Only if messages become unread: the channels whose messages stay read because the user is not subscribed to them.',
    }),
  ),
}

/** The response key that is specific to marking messages as unread. */
function ignoredChannels(
  { op, flag }: { op: string; flag: string },
  { ignoredChannelIds }: Pick<FlagOutcome, 'ignoredChannelIds'>,
): { ignored_because_not_subscribed_channels?: number[] } {
  if (op !== 'remove' || flag !== 'read') return {}
  return { ignored_because_not_subscribed_channels: [...ignoredChannelIds] }
}

const updateMessageFlags = defineOperation({
  id: 'update-message-flags',
  summary: 'Add a personal flag to messages or remove it.',
  method: 'POST',
  path: '/messages/flags',
  access: 'user',
  isPersonal: true,
  // Clients mark all messages that they have loaded at once.
  params: { messages: Type.Array(Bounded.id(), { maxItems: 100_000 }), ...flagParameters },
  response: Type.Object(
    { messages: Type.Array(Type.Integer()), ...ignoredChannelsProperty },
    { additionalProperties: false },
  ),
  errors: ['BAD_REQUEST'],
  service: MessageFlagService,
  async handle(flags, { actor, params }) {
    const outcome = await flags.update(actor, params.messages, params)
    return { messages: [...outcome.changedIds], ...ignoredChannels(params, outcome) }
  },
})

const updateMessageFlagsForNarrow = defineOperation({
  id: 'update-message-flags-for-narrow',
  summary: 'Add a personal flag to a range of messages that match a narrow or remove it.',
  method: 'POST',
  path: '/messages/flags/narrow',
  access: 'user',
  isPersonal: true,
  params: {
    anchor: AnchorParameter,
    include_anchor: Type.Boolean({ default: true }),
    num_before: Bounded.count(),
    num_after: Bounded.count(),
    narrow: NarrowParameter,
    ...flagParameters,
  },
  response: Type.Object(
    {
      processed_count: Type.Integer(),
      updated_count: Type.Integer(),
      first_processed_id: Type.Union([Type.Integer(), Type.Null()]),
      last_processed_id: Type.Union([Type.Integer(), Type.Null()]),
      found_oldest: Type.Boolean(),
      found_newest: Type.Boolean(),
      ...ignoredChannelsProperty,
    },
    { additionalProperties: false },
  ),
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
  service: MessageFlagService,
  async handle(flags, { actor, params }) {
    const size = { before: params.num_before, after: params.num_after }
    requireContiguous({ includesAnchor: params.include_anchor, ...size })
    const range = {
      anchor: parseAnchor(params.anchor),
      includesAnchor: params.include_anchor,
      ...clampRange(size.before, size.after),
    }
    const outcome = await flags.updateRange(actor, parseNarrow(params.narrow), range, params)
    return {
      processed_count: outcome.range.items.length,
      updated_count: outcome.changedIds.length,
      first_processed_id: outcome.range.items[0] ?? null,
      last_processed_id: outcome.range.items.at(-1) ?? null,
      found_oldest: outcome.range.foundOldest,
      found_newest: outcome.range.foundNewest,
      ...ignoredChannels(params, outcome),
    }
  },
})

export const messageFlags = defineResource({
  operations: [
    updateMessageFlags,
    updateMessageFlagsForNarrow,
    markAllAsRead,
    markStreamAsRead,
    markTopicAsRead,
  ],
  events: [messageFlagsAdded, messageFlagsRemoved],
  snapshot: messageFlagSnapshot,
})
