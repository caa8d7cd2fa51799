import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { parseNarrow, clampRange, parseAnchor, requireContiguous } from '../narrows/index.js'
import { defineOperation } from '../../../http/operation.js'
import { AnchorParameter, NarrowParameter } from '../reading/index.js'
import { MessageFlagService, type FlagOutcome } from './message-flag-service.js'

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

export const updateMessageFlags = defineOperation({
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

export const updateMessageFlagsForNarrow = defineOperation({
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
