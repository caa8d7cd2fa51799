import { inject } from 'tsyringe'

import { subscriptionColor } from '../../../domain/organizations/subscription-colors.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { toJson, type Transaction } from '../../../storage/index.js'
import {
  ChannelRepository,
  normalizeChannelDescription,
  normalizeChannelName,
} from '../../channels/channels/index.js'
import { SubscriptionRepository } from '../../channels/subscriptions/index.js'
import type { LoadedPermissions } from './group-loader.js'
import type { ImportContext } from './import-context.js'
import type { FileChannel } from './organization-file-items.js'

/** The recipient id of each channel, by channel id. */
export type ChannelRecipients = ReadonlyMap<number, number>

/**
 * Channels per batch; the loader yields to the event loop between batches, because rendering takes
 * long.
 */
const channelsPerChunk = 100

/** Stores the channels of an organization file and their subscriptions. */
@perServer()
export class ChannelLoader {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
  ) {}

  async load(
    tx: Transaction,
    context: ImportContext,
    permissions: LoadedPermissions['channels'],
    createdAtSeconds: number,
  ): Promise<ChannelRecipients> {
    const recipients = new Map<number, number>()
    for (const chunk of chunksOf(context.file.channels ?? [], channelsPerChunk)) {
      const rows = chunk.map((channel) => ({
        ...channelRow(channel, createdAtSeconds),
        rendered_description: renderedDescription(context, channel),
        settings: toJson(present(permissions.get(channel.id), 'the permissions of each channel')),
      }))
      const stored = await this.channels.insertMany(tx, rows)
      for (const { id, recipient_id } of stored) recipients.set(id, recipient_id)
    }
    for (const chunk of chunksOf([...context.subscriptions()])) {
      const rows = chunk.map((subscription) => ({
        channel_id: subscription.channel_id,
        user_id: subscription.user_id,
        is_active: subscription.is_active ?? true,
        is_user_active: context.isActive(subscription.user_id),
        color: subscription.color ?? subscriptionColor(subscription.channel_id),
        is_muted: subscription.is_muted ?? false,
        pin_to_top: subscription.pin_to_top ?? false,
        desktop_notifications: subscription.desktop_notifications ?? null,
        audible_notifications: subscription.audible_notifications ?? null,
        push_notifications: subscription.push_notifications ?? null,
        email_notifications: subscription.email_notifications ?? null,
        wildcard_mentions_notify: subscription.wildcard_mentions_notify ?? null,
        // Set when all messages are there.
        unwritten_after_message_id: null,
      }))
      await this.subscriptions.insert(tx, rows)
    }
    return recipients
  }
}

function channelRow(channel: FileChannel, createdAtSeconds: number) {
  const privacy = channel.privacy ?? 'public'
  const name = normalizeChannelName(channel.name)
  return {
    id: channel.id,
    external_id: null,
    name,
    name_key: foldCase(name),
    description: normalizeChannelDescription(channel.description ?? ''),
    created_at_seconds: channel.created_at_seconds ?? createdAtSeconds,
    creator_id: channel.creator_id ?? null,
    is_private: privacy.startsWith('private'),
    is_history_shared: privacy !== 'private_protected_history',
    is_web_public: privacy === 'web_public',
    is_archived: channel.is_archived ?? false,
    is_default: channel.is_default ?? false,
    is_recently_active: true,
    message_retention_days: channel.message_retention_days ?? null,
    topics_policy: channel.topics_policy ?? 'inherit',
    folder_id: channel.folder_id ?? null,
    first_message_id: null,
    audience_id: null,
    version: 0,
  }
}

function renderedDescription(context: ImportContext, channel: FileChannel): string {
  const description = normalizeChannelDescription(channel.description ?? '')
  if (description === '') return ''
  return context.renderer.render(channel.creator_id ?? 0, description, { isDescription: true }).html
}
