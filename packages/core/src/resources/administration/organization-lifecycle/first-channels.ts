import { inject } from 'tsyringe'

import {
  channelPermissions,
  defaultGroup,
} from '../../../domain/organizations/organization-settings.js'
import { subscriptionColor } from '../../../domain/organizations/subscription-colors.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { toJson, type Transaction } from '../../../storage/index.js'
import { Translator } from '../../../texts/index.js'
import { ChannelRepository, normalizeChannelName } from '../../channels/channels/index.js'
import { firstSettings, SubscriptionRepository } from '../../channels/subscriptions/index.js'
import { MessageRenderer } from '../../content/rendering/index.js'
import { SystemBotMessages } from '../../messages/sending/index.js'
import { actorOf, SystemBots } from '../../people/users/index.js'
import { firstChannels, firstMessages } from './first-contents.js'
import type { FirstChannelRows, SystemGroupIds } from './new-organization.js'

/** Stores the channels that a new organization begins with, and the messages in them. */
@perServer()
export class FirstChannels {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(SystemBots) private readonly bots: SystemBots,
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(Translator) private readonly translator: Translator,
  ) {}

  async insert(
    tx: Transaction,
    systemGroups: SystemGroupIds,
    createdAtSeconds: number,
    language: string,
  ): Promise<FirstChannelRows> {
    const settings = fromKeys(keysOf(channelPermissions), (name) => {
      return systemGroups[defaultGroup(channelPermissions[name])]
    })
    const { write } = this.translator.writerIn(language)
    const written = firstChannels.map(({ key, name, description }) => ({
      key,
      name: normalizeChannelName(write(name)),
      description: write(description),
    }))
    const rows = await this.channels.insertMany(
      tx,
      written.map(({ name, description }) => ({
        external_id: null,
        name,
        name_key: foldCase(name),
        description,
        rendered_description: '',
        created_at_seconds: createdAtSeconds,
        creator_id: null,
        is_private: false,
        is_history_shared: true,
        is_web_public: false,
        is_archived: false,
        is_default: true,
        is_recently_active: true,
        message_retention_days: null,
        topics_policy: 'inherit',
        folder_id: null,
        first_message_id: null,
        audience_id: null,
        version: 0,
        settings: toJson(settings),
      })),
    )
    const byName = new Map(rows.map((row) => [row.name, row]))
    return new Map(written.map(({ key, name }) => [key, present(byName.get(name), key)]))
  }

  async subscribe(tx: Transaction, userId: number, channels: FirstChannelRows): Promise<void> {
    await this.subscriptions.insert(
      tx,
      [...channels.values()].map(({ id }) => ({
        channel_id: id,
        user_id: userId,
        is_active: true,
        is_user_active: true,
        color: subscriptionColor(id),
        ...firstSettings,
        unwritten_after_message_id: 0,
      })),
    )
  }

  /** Renders their descriptions, and sends the messages. The organization must be committed. */
  async fill(tx: Transaction, channels: FirstChannelRows): Promise<void> {
    const rendered = await this.renderer.renderAll(
      tx,
      actorOf(this.bots.get(tx.organizationId, 'welcome')),
      [...channels.values()].map(({ description }) => description),
      { isDescription: true },
    )
    for (const [index, { id }] of [...channels.values()].entries()) {
      const rendered_description = rendered[index]?.html ?? ''
      await this.channels.update(tx, id, { rendered_description })
    }
    await this.messages.send(
      tx,
      'welcome',
      firstMessages.map(({ channel, topic, content }) => ({
        to: { channelId: present(channels.get(channel), 'a first channel').id, topic },
        content,
      })),
    )
  }
}
