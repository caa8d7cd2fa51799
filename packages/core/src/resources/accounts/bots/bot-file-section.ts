import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { BotType } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import type { FileCheck } from '../../../resource-definition/file-check.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import type { Transaction } from '../../../storage/index.js'
import { BotRepository, type BotDetails } from './bot-repository.js'
import { requireServiceUrl } from './bot-rules.js'
import { ServiceTokens } from './service-tokens.js'

const ChannelId = Type.Optional(Type.Union([FileId, Type.Null()]))

/** The properties that bots of an organization file have in addition to those of people. */
export const fileBotProperties = {
  bot_type: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 4,
      description: '1 generic (the default), 2 incoming webhook, 3 outgoing webhook, 4 embedded.',
    }),
  ),
  default_sending_channel_id: ChannelId,
  default_events_channel_id: ChannelId,
  default_all_public_channels: Type.Optional(Type.Boolean()),
  service: Type.Optional(
    Type.Object(
      {
        base_url: Type.String(),
        interface: Type.Optional(
          Type.Union([Type.Literal(1), Type.Literal(2)], {
            description: '1 (the default): the native format; 2: the format of Slack.',
          }),
        ),
        token: Type.Optional(
          Type.String({ minLength: 1, maxLength: 40, description: 'Default: a random one.' }),
        ),
      },
      { ...closed, description: 'The endpoint of an outgoing webhook bot.' },
    ),
  ),
}
const FileBotDetails = Type.Object(fileBotProperties)
type FileBot = Static<typeof FileBotDetails> & { readonly id: number }

/** Stores the properties that only bots of an organization file have. */
@perServer()
export class BotFileLoader {
  constructor(
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
  ) {}

  async load(tx: Transaction, bots: readonly FileBot[]): Promise<void> {
    const rows = bots.map((bot) => ({ user_id: bot.id, ...this.#detailsOf(bot) }))
    // The users exist already. Most bots have the default values, which need no row.
    const unusual = rows.filter((row) => Object.keys(row).length > 1)
    for (const chunk of chunksOf(unusual)) await this.bots.insertMany(tx, chunk)
  }

  #detailsOf(bot: FileBot): Partial<BotDetails> {
    const { default_sending_channel_id, default_events_channel_id, service } = bot
    return {
      ...(default_sending_channel_id == null ? {} : { default_sending_channel_id }),
      ...(default_events_channel_id == null ? {} : { default_events_channel_id }),
      ...(bot.default_all_public_channels === true ? { default_all_public_channels: true } : {}),
      ...(service === undefined
        ? {}
        : {
            service_base_url: requireServiceUrl('base_url', service.base_url),
            service_interface: service.interface ?? 1,
            service_token_sealed: this.serviceTokens.toStored(service.token),
          }),
    }
  }
}

/** Reports invalid properties of bots. */
export async function checkFileBots(check: FileCheck): Promise<void> {
  for await (const { place, item } of check.each('bots')) {
    for (const key of ['default_sending_channel_id', 'default_events_channel_id'] as const) {
      const id = item[key]
      if (id != null) check.requireKnown(`${place}/${key}`, 'channel', id)
    }
    const { service } = item
    if (service === undefined) continue
    if (item.bot_type !== BotType.outgoingWebhook) {
      check.report(`${place}/service`, 'only outgoing webhook bots have one')
    }
    check.requireRule(`${place}/service/base_url`, () =>
      requireServiceUrl('base_url', service.base_url),
    )
  }
}
