import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { maxAvatarBytes } from '../../files/avatars/index.js'
import { BotCreation } from './bot-creation.js'
import { botAdded, botDefaults, botDeleted } from './bot-events.js'
import { BotManagement } from './bot-management.js'
import { requireServiceInterface, requireServiceUrl } from './bot-rules.js'
import { botSnapshot } from './bot-snapshot.js'

export { BotFileLoader, checkFileBots, fileBotProperties } from './bot-file-section.js'
export { BotRepository, type BotDetails } from './bot-repository.js'
export { ManagedBots } from './managed-bots.js'
export { ServiceTokens } from './service-tokens.js'

const bot_id = Bounded.id()
const closed = { additionalProperties: false } as const

const defaultParameters = {
  default_sending_stream: Type.Optional(
    Bounded.name({ trim: true, description: "A channel's name; empty for none." }),
  ),
  default_events_register_stream: Type.Optional(
    Bounded.name({ trim: true, description: "A channel's name; empty for none." }),
  ),
  default_all_public_streams: Type.Optional(Type.Boolean()),
}

const getBots = defineOperation({
  id: 'get-bots',
  summary: "Get the caller's own active bots.",
  method: 'GET',
  path: '/bots',
  access: 'humanNonGuest',
  answersWithSecrets: true,
  params: {},
  response: Type.Object({
    bots: Type.Array(
      Type.Object(
        {
          user_id: Type.Integer(),
          username: Type.String({ description: 'The address.' }),
          full_name: Type.String(),
          api_key: Type.String(),
          avatar_url: Type.String(),
          ...botDefaults,
        },
        closed,
      ),
    ),
  }),
  errors: ['BAD_REQUEST'],
  service: BotManagement,
  async handle(management, { actor }) {
    const bots = await management.listOwn(actor)
    return {
      bots: bots.map((bot) => ({
        user_id: bot.user_id,
        username: bot.email,
        full_name: bot.full_name,
        api_key: bot.api_key,
        avatar_url: bot.avatar_url,
        default_sending_stream: bot.default_sending_stream,
        default_events_register_stream: bot.default_events_register_stream,
        default_all_public_streams: bot.default_all_public_streams,
      })),
    }
  },
})

const createBot = defineOperation({
  id: 'create-bot',
  summary: 'Create a bot. A file in the request becomes its picture.',
  method: 'POST',
  path: '/bots',
  access: 'humanNonGuest',
  isPersonal: true,
  params: {
    full_name: Bounded.name({ contentKind: 'user.fullName' }),
    short_name: Bounded.name({ description: 'The part of the address before `-bot@`.' }),
    bot_type: Bounded.integer({
      default: 1,
      description: '1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded.',
    }),
    payload_url: Bounded.name({
      default: '',
      maxLength: 10_000,
      description: 'For outgoing webhook bots.',
    }),
    interface_type: Bounded.integer({ default: 1 }),
    ...defaultParameters,
  },
  response: Type.Object(
    {
      user_id: Type.Integer(),
      api_key: Type.String(),
      avatar_url: Type.String(),
      ...botDefaults,
    },
    closed,
  ),
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
  service: BotCreation,
  upload: { maxFileBytes: () => maxAvatarBytes },
  async handle(creation, { actor, params, request }) {
    const bot = await creation.create(actor, {
      fullName: params.full_name,
      shortName: params.short_name,
      type: params.bot_type,
      serviceUrl: params.payload_url,
      serviceInterface: params.interface_type,
      defaults: defaultsOf(params),
      avatars: request.files,
    })
    return {
      user_id: bot.user_id,
      api_key: bot.api_key,
      avatar_url: bot.avatar_url,
      default_sending_stream: bot.default_sending_stream,
      default_events_register_stream: bot.default_events_register_stream,
      default_all_public_streams: bot.default_all_public_streams,
    }
  },
})

const updateBot = defineOperation({
  id: 'update-bot',
  summary: "Change a bot's name, role, owner, picture, default channels or service.",
  method: 'PATCH',
  path: '/bots/{bot_id}',
  access: 'humanNonGuest',
  isAdministrative: true,
  params: {
    bot_id,
    full_name: Type.Optional(Bounded.name({ contentKind: 'user.fullName' })),
    role: Type.Optional(Bounded.role({ invalid: 'listed' })),
    bot_owner_id: Type.Optional(
      Bounded.id({
        description:
          'The user id of the new owner, for administrators. Replaces the API key, and the token of an outgoing webhook.',
      }),
    ),
    service_payload_url: Type.Optional(Bounded.name({ maxLength: 10_000 })),
    service_interface: Bounded.integer({ default: 1 }),
    ...defaultParameters,
  },
  response: Type.Object(
    {
      full_name: Type.String(),
      avatar_url: Type.String(),
      service_interface: Type.Integer(),
      service_payload_url: Type.Union([Type.String(), Type.Null()]),
      ...botDefaults,
      bot_owner: Type.Optional(Type.String({ description: "The owner's address." })),
    },
    closed,
  ),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  service: BotManagement,
  upload: { maxFileBytes: () => maxAvatarBytes },
  async handle(management, { actor, params, request }) {
    const { service_payload_url: url, service_interface } = params
    requireServiceInterface(service_interface)
    const service = url === undefined ? undefined : requireServiceUrl('service_payload_url', url)
    const { bot, owner } = await management.update(actor, params.bot_id, {
      fullName: params.full_name,
      role: params.role,
      ownerId: params.bot_owner_id,
      defaults: defaultsOf(params),
      service: service === undefined ? undefined : { url: service, interface: service_interface },
      avatars: request.files,
    })
    return {
      full_name: bot.full_name,
      avatar_url: bot.avatar_url,
      service_interface: bot.services[0]?.interface ?? service_interface,
      service_payload_url: bot.services[0]?.base_url ?? null,
      default_sending_stream: bot.default_sending_stream,
      default_events_register_stream: bot.default_events_register_stream,
      default_all_public_streams: bot.default_all_public_streams,
      ...(owner === undefined ? {} : { bot_owner: management.emailOf(owner) }),
    }
  },
})

const deactivateBot = defineCommand({
  id: 'deactivate-bot',
  summary: 'Deactivate a bot.',
  method: 'DELETE',
  path: '/bots/{bot_id}',
  access: 'humanNonGuest',
  isAdministrative: true,
  params: { bot_id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: BotManagement,
  handle: (management, { actor, params }) => management.deactivate(actor, params.bot_id),
})

const regenerateBotApiKey = defineOperation({
  id: 'regenerate-bot-api-key',
  summary: 'Replace the API key of a bot; the old one is no longer valid.',
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  access: 'humanNonGuest',
  isAdministrative: true,
  params: { bot_id },
  response: Type.Object({
    api_key: Type.String({ description: 'Empty unless the caller owns the bot.' }),
  }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: BotManagement,
  async handle(management, { actor, params }) {
    return { api_key: await management.regenerateKey(actor, params.bot_id) }
  },
})

function defaultsOf(params: {
  default_sending_stream?: string
  default_events_register_stream?: string
  default_all_public_streams?: boolean
}) {
  return {
    sendingChannel: params.default_sending_stream,
    eventsChannel: params.default_events_register_stream,
    allPublicChannels: params.default_all_public_streams,
  }
}

export const bots = defineResource({
  operations: [getBots, createBot, updateBot, deactivateBot, regenerateBotApiKey],
  events: [botAdded, botDeleted],
  snapshot: botSnapshot,
})
