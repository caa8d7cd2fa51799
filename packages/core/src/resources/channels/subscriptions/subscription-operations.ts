import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { badRequest } from '../../../errors/index.js'
import { defineOperation } from '../../../http/operation.js'
import { newChannelOptions, newChannelParameters } from '../channel-creation/index.js'
import { normalizeChannelDescription, normalizeChannelName } from '../channels/index.js'
import type { Announcement } from './channel-steps.js'
import { parseColor } from './colors.js'
import { PrincipalsParameter } from './principals.js'
import { SubscribeService, type RequestedChannel } from './subscribe-service.js'
import { SubscriptionListService } from './subscription-list-service.js'
import { IncludeSubscribers, Subscription } from './subscription-events.js'
import { SubscriptionUpdateService } from './subscription-update-service.js'
import { UnsubscribeService } from './unsubscribe-service.js'

const NamesByUser = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Names of channels by user id.',
})

const ChannelRequest = Type.Object(
  {
    name: Type.Optional(Bounded.name({ contentKind: 'channel.name' })),
    description: Type.Optional(Bounded.text({ contentKind: 'channel.description' })),
    color: Type.Optional(Bounded.name()),
  },
  { additionalProperties: false },
)
const channelRequests = { maxItems: limits.maxChannelsPerRequest }

export const getSubscriptions = defineOperation({
  id: 'get-subscriptions',
  summary: 'List the active channels that the caller is subscribed to, by name.',
  method: 'GET',
  path: '/users/me/subscriptions',
  access: 'user',
  isPersonal: true,
  params: { include_subscribers: Type.Optional(IncludeSubscribers) },
  response: Type.Object({ subscriptions: Type.Array(Subscription) }),
  errors: [],
  service: SubscriptionListService,
  handle: async (subscriptions, { actor, params }) => ({
    subscriptions: await subscriptions.listOwn(actor, params.include_subscribers ?? 'false'),
  }),
})

export const subscribe = defineOperation({
  id: 'subscribe',
  summary: 'Subscribe users to channels. Creates channels that do not exist.',
  method: 'POST',
  path: '/users/me/subscriptions',
  access: 'nonGuest',
  params: {
    subscriptions: Type.Array(ChannelRequest, channelRequests),
    principals: Type.Optional(PrincipalsParameter),
    authorization_errors_fatal: Type.Boolean({ default: true }),
    announce: Type.Boolean({ default: false }),
    ...newChannelParameters,
    folder_id: Type.Optional(Type.Union([Bounded.id(), Type.Null()])),
    send_new_subscription_messages: Type.Boolean({ default: true }),
  },
  response: Type.Object({
    subscribed: NamesByUser,
    already_subscribed: NamesByUser,
    unauthorized: Type.Optional(Type.Array(Type.String())),
    new_subscription_messages_sent: Type.Optional(Type.Boolean()),
  }),
  errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID', 'UNAUTHORIZED_PRINCIPAL'],
  service: SubscribeService,
  handle: async (subscriptions, { actor, params }) => ({
    ...(await subscriptions.subscribe(actor, {
      channels: requestedChannels(params.subscriptions, 'subscriptions'),
      principals: params.principals,
      areRefusalsFatal: params.authorization_errors_fatal,
      sendsMessages: params.send_new_subscription_messages,
      announcement: announcementOf(params),
      options: newChannelOptions(params, params.folder_id),
    })),
  }),
})

export const unsubscribe = defineOperation({
  id: 'unsubscribe',
  summary: 'Unsubscribe the caller or other users from channels.',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  access: 'user',
  params: {
    subscriptions: Bounded.names({ maxItems: limits.maxChannelsPerRequest }),
    principals: Type.Optional(PrincipalsParameter),
  },
  response: Type.Object({
    removed: Type.Array(Type.String()),
    not_removed: Type.Array(Type.String()),
  }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
  service: UnsubscribeService,
  handle: async (subscriptions, { actor, params }) => ({
    ...(await subscriptions.unsubscribe(actor, params.subscriptions, params.principals)),
  }),
})

export const updateSubscriptions = defineOperation({
  id: 'update-subscriptions',
  summary: 'Subscribe the caller to some channels and unsubscribe from others.',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  access: 'user',
  isPersonal: true,
  params: {
    delete: Bounded.names({ default: [], maxItems: limits.maxChannelsPerRequest }),
    add: Type.Array(ChannelRequest, { ...channelRequests, default: [] }),
  },
  response: Type.Object({
    subscribed: NamesByUser,
    already_subscribed: NamesByUser,
    new_subscription_messages_sent: Type.Optional(Type.Boolean()),
    removed: Type.Array(Type.String()),
    not_removed: Type.Array(Type.String()),
  }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
  service: SubscriptionUpdateService,
  handle: async (subscriptions, { actor, params }) => ({
    ...(await subscriptions.update(actor, requestedChannels(params.add, 'add'), params.delete)),
  }),
})

export const createChannel = defineOperation({
  id: 'create-channel',
  summary: 'Create a channel and subscribe users to it.',
  method: 'POST',
  path: '/channels/create',
  access: 'nonGuest',
  params: {
    name: Bounded.name({ trim: true, refuseBlank: true, contentKind: 'channel.name' }),
    description: Type.Optional(Bounded.text({ contentKind: 'channel.description' })),
    subscribers: Bounded.ids(),
    announce: Type.Boolean({ default: false }),
    ...newChannelParameters,
    folder_id: Type.Optional(Type.Union([Bounded.id(), Type.Null()])),
    send_new_subscription_messages: Type.Boolean({ default: true }),
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: [
    'BAD_REQUEST',
    'CHANNEL_ALREADY_EXISTS',
    'REQUEST_VARIABLE_INVALID',
    'UNAUTHORIZED_PRINCIPAL',
  ],
  service: SubscribeService,
  handle: async (subscriptions, { actor, params }) => ({
    id: await subscriptions.createChannel(
      actor,
      {
        name: normalizeChannelName(params.name),
        description: normalizeChannelDescription(params.description ?? ''),
      },
      params.subscribers,
      newChannelOptions(params, params.folder_id),
      announcementOf(params),
    ),
  }),
})

export const getSubscriptionStatus = defineOperation({
  id: 'get-subscription-status',
  summary: 'Get whether a user is subscribed to a channel.',
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  access: 'user',
  params: { user_id: Bounded.id(), stream_id: Bounded.id() },
  response: Type.Object({ is_subscribed: Type.Boolean() }),
  errors: ['BAD_REQUEST'],
  service: SubscriptionListService,
  handle: async (subscriptions, { actor, params }) => ({
    is_subscribed: await subscriptions.isSubscribed(actor, params.user_id, params.stream_id),
  }),
})

/** @throws {ChatError} `BAD_REQUEST` for the first invalid channel. */
function requestedChannels(
  items: readonly Static<typeof ChannelRequest>[],
  parameter: string,
): RequestedChannel[] {
  const colors = items.map(({ name, color }, index) => {
    if (name === undefined)
      throw badRequest('PARAMETER_FIELD_MISSING', { parameter: `${parameter}[${index}]["name"]` })
    if (color === undefined) return undefined
    const parsed = parseColor(color)
    if (parsed !== undefined) return parsed
    throw badRequest('PARAMETER_NOT_COLOR', {
      parameter: `${parameter}[${index}]`,
      key: 'add.color',
    })
  })
  return items.map(({ name = '', description = '' }, index) => ({
    name: normalizeChannelName(name),
    description: normalizeChannelDescription(description),
    color: colors[index],
  }))
}

/** Users find in every channel that they create who has created it. */
function announcementOf({ announce }: { readonly announce: boolean }): Announcement {
  return announce ? 'everywhere' : 'in itself'
}
