import { Type } from 'typebox'

import { defineOperation } from '../../http/operation.js'
import { MessageFlagService, type FlagOutcome } from './message-flag-service.js'

/** The response key that belongs to marking messages as unread, and to nothing else. */
export function ignoredChannels(
  { op, flag }: { op: string; flag: string },
  { ignoredChannelIds }: Pick<FlagOutcome, 'ignoredChannelIds'>,
): { ignored_because_not_subscribed_channels?: number[] } {
  if (op !== 'remove' || flag !== 'read') return {}
  return { ignored_because_not_subscribed_channels: [...ignoredChannelIds] }
}

export const updateMessageFlags = defineOperation({
  id: 'update-message-flags',
  summary: 'Add a personal flag to messages, or remove it.',
  method: 'POST',
  path: '/messages/flags',
  access: 'user',
  params: {
    messages: Type.Array(Type.Integer()),
    op: Type.String(),
    flag: Type.String(),
  },
  response: Type.Object(
    {
      messages: Type.Array(Type.Integer()),
      ignored_because_not_subscribed_channels: Type.Optional(Type.Array(Type.Integer())),
    },
    { additionalProperties: false },
  ),
  errors: ['BAD_REQUEST'],
  service: MessageFlagService,
  async handle(flags, { actor, params }) {
    const outcome = await flags.update(actor, params.messages, params)
    return { messages: [...outcome.changedIds], ...ignoredChannels(params, outcome) }
  },
})
