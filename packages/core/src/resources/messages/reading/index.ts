import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { isSpectator } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import {
  maxNarrowTerms,
  maxTermLength,
  newestAnchor,
  parseAnchor,
  parseNarrow,
  requireContiguous,
  requireWebPublic,
} from '../narrows/index.js'
import { MessageObject } from '../objects/index.js'
import { MessageFetch } from './message-fetch.js'
import { MessageReader } from './message-reader.js'
import { messageSnapshot } from './message-snapshot.js'

export { MessageFetch, type RangeRequest, type FetchedRange } from './message-fetch.js'

/** A narrow as clients send it; `parseNarrow` validates its terms, and `NarrowTerm` describes them. */
export const NarrowParameter = Type.Union([
  Type.Array(Bounded.json(maxTermLength, { component: 'NarrowTerm' }), {
    maxItems: maxNarrowTerms,
  }),
  Type.Null(),
])

/** The anchor of a range of messages; `parseAnchor` parses it. */
export const AnchorParameter = Bounded.name({
  orJson: Bounded.integer({ maximum: newestAnchor }),
  description: 'The id of a message, `newest`, `oldest` or `first_unread`.',
})

const getMessages = defineOperation({
  id: 'get-messages',
  summary: 'Fetch messages that match a narrow, around an anchor or by id.',
  method: 'GET',
  path: '/messages',
  access: 'userOrSpectator',
  params: {
    anchor: Type.Optional(AnchorParameter),
    include_anchor: Type.Boolean({ default: true }),
    num_before: Bounded.count({ default: 0 }),
    num_after: Bounded.count({ default: 0 }),
    narrow: Type.Optional(NarrowParameter),
    use_first_unread_anchor: Type.Boolean({ default: false }),
    client_gravatar: Type.Boolean({ default: true }),
    apply_markdown: Type.Boolean({ default: true }),
    allow_empty_topic_name: Type.Boolean({ default: false }),
    message_ids: Type.Optional(Bounded.ids()),
  },
  clientParameters: { client_gravatar: false, use_first_unread_anchor: false },
  response: Type.Object(
    {
      messages: Type.Array(MessageObject),
      anchor: Type.Optional(
        Type.Integer({
          maximum: newestAnchor,
          description: 'The anchor that was used; absent with `message_ids`.',
        }),
      ),
      found_anchor: Type.Boolean(),
      found_oldest: Type.Boolean(),
      found_newest: Type.Boolean(),
      history_limited: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
  errors: ['BAD_REQUEST', 'BAD_NARROW', 'UNSUPPORTED_COMBINATION'],
  service: MessageFetch,
  async handle(messages, { actor, params }) {
    const terms = parseNarrow(params.narrow)
    const narrow = isSpectator(actor) ? requireWebPublic(terms) : terms
    const format = {
      applyMarkdown: params.apply_markdown,
      clientGravatar: params.client_gravatar && !isSpectator(actor),
      allowsEmptyTopics: params.allow_empty_topic_name,
    }
    const ids = requireRangeOrIds(params)
    if (ids !== undefined) {
      return {
        messages: await messages.among(actor, narrow, ids, format),
        found_anchor: false,
        found_oldest: false,
        found_newest: false,
        history_limited: false,
      }
    }
    const size = {
      includesAnchor: params.include_anchor,
      before: params.num_before,
      after: params.num_after,
    }
    requireContiguous(size)
    if (params.anchor === undefined && !params.use_first_unread_anchor) {
      throw badRequest('ANCHOR_MISSING')
    }
    const anchor = params.use_first_unread_anchor
      ? 'first_unread'
      : parseAnchor(params.anchor ?? '')
    const range = await messages.range(actor, narrow, { anchor, ...size }, format)
    return {
      messages: [...range.items],
      anchor: range.anchor,
      found_anchor: range.foundAnchor,
      found_oldest: range.foundOldest,
      found_newest: range.foundNewest,
      history_limited: false,
    }
  },
})

const rangeParameters =
  'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor'

/** Returns the ids if messages are requested by id; otherwise undefined. */
function requireRangeOrIds(params: {
  anchor?: string
  num_before: number
  num_after: number
  use_first_unread_anchor: boolean
  message_ids?: readonly number[]
}): readonly number[] | undefined {
  const { anchor, num_before, num_after, message_ids } = params
  const hasRange = num_before > 0 || num_after > 0
  if (
    message_ids !== undefined &&
    (hasRange || anchor !== undefined || params.use_first_unread_anchor)
  ) {
    throw new ChatError('UNSUPPORTED_COMBINATION', { fields: { parameters: rangeParameters } })
  }
  if ((message_ids?.length ?? num_before + num_after) > limits.maxMessagesPerFetch) {
    throw badRequest('MESSAGES_TOO_MANY', { limit: limits.maxMessagesPerFetch })
  }
  return message_ids
}

const getMessage = defineOperation({
  id: 'get-message',
  summary: 'Fetch a single message.',
  method: 'GET',
  path: '/messages/{message_id}',
  access: 'userOrSpectator',
  params: {
    message_id: Bounded.id(),
    apply_markdown: Type.Boolean({ default: true }),
    allow_empty_topic_name: Type.Boolean({ default: false }),
  },
  response: Type.Object(
    {
      message: MessageObject,
      raw_content: Type.String({ description: 'The Markdown source of the message.' }),
    },
    { additionalProperties: false },
  ),
  errors: ['BAD_REQUEST'],
  service: MessageReader,
  async handle(messages, { actor, params }) {
    const { message, rawContent } = await messages.get(actor, params.message_id, {
      applyMarkdown: params.apply_markdown,
      clientGravatar: !isSpectator(actor),
      allowsEmptyTopics: params.allow_empty_topic_name,
    })
    return { message, raw_content: rawContent }
  },
})

const checkMessagesMatchNarrow = defineOperation({
  id: 'check-messages-match-narrow',
  summary:
    'Check which of the given messages match a narrow; messages that the user has not received do not.',
  method: 'GET',
  path: '/messages/matches_narrow',
  access: 'user',
  params: {
    msg_ids: Bounded.ids(),
    narrow: NarrowParameter,
  },
  response: Type.Object(
    {
      messages: Type.Record(
        Type.String({ description: 'A message id.' }),
        Type.Object(
          { match_content: Type.String(), match_subject: Type.String() },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
  service: MessageFetch,
  async handle(messages, { actor, params }) {
    const matches = await messages.matches(actor, parseNarrow(params.narrow), params.msg_ids)
    return { messages: Object.fromEntries(matches) }
  },
})

export const messageReading = defineResource({
  operations: [getMessages, getMessage, checkMessagesMatchNarrow],
  snapshot: messageSnapshot,
})
