import { inject } from 'tsyringe'

import { BotType, Role, type Actor } from '../../domain/actor.js'
import { MessageFlag } from '../../domain/message-flags.js'
import { normalizeContent } from '../../domain/message-content.js'
import { normalizeTopic, topicKey } from '../../domain/topics.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import type { Transaction } from '../../storage/index.js'
import { ChannelRepository } from '../channels/index.js'
import { MessageRenderer } from '../message-rendering/index.js'
import { ConversationRepository, MessageRepository } from '../messages/index.js'
import type { OrganizationFile } from './organization-file-schema.js'

type FileMessage = NonNullable<OrganizationFile['messages']>[number]

/** Stores the messages of an organization file as if they had been sent. */
@perServer()
export class MessageLoader {
  constructor(
    @inject(MessageRepository) private readonly messages: MessageRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async insert(tx: Transaction, file: OrganizationFile): Promise<void> {
    const messages = [...(file.messages ?? [])]
    // Prescribed ids first and ascending, so that the others follow them.
    messages.sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity))
    for (const message of messages) await this.#insertOne(tx, message)
  }

  async renderDescription(tx: Transaction, description: string): Promise<string> {
    if (description === '') return ''
    return (await this.renderer.render(tx, loaderOf(tx, 0), description)).html
  }

  async #insertOne(tx: Transaction, message: FileMessage): Promise<void> {
    const content = normalizeContent(message.content)
    const rendered = await this.renderer.render(tx, loaderOf(tx, message.sender_id), content)
    const topic = message.channel_id === undefined ? '' : normalizeTopic(message.topic ?? '')
    const channel =
      message.channel_id === undefined
        ? undefined
        : await this.channels.find(tx, message.channel_id)
    const participants = [...new Set([message.sender_id, ...(message.to ?? [])])]
    const recipientId =
      channel?.recipient_id ?? (await this.conversations.findOrInsert(tx, participants))
    const id = await this.messages.insert(tx, {
      ...(message.id === undefined ? {} : { id: message.id }),
      sender_id: message.sender_id,
      recipient_id: recipientId,
      channel_id: channel?.id ?? null,
      topic,
      topic_key: topicKey(topic),
      content,
      rendered_content: rendered.html,
      sent_at_seconds: message.sent_at_seconds ?? nowSeconds(this.clock),
      client: 'Internal',
      content_traits: rendered.traits,
      edit_history: null,
      last_edited_at_seconds: null,
      last_moved_at_seconds: null,
    })
    const readers = [message.sender_id, ...(message.read_by ?? [])]
    const flags = {
      forEveryone: 0,
      ofUsers: new Map(readers.map((userId) => [userId, MessageFlag.read as number])),
    }
    if (channel === undefined) {
      await this.messages.insertDirectRecords(tx, id, recipientId, flags)
      return
    }
    await this.messages.insertChannelRecords(tx, id, channel.id, flags)
    if (channel.first_message_id === null) {
      await this.channels.update(tx, channel.id, { first_message_id: id })
    }
  }
}

/** Stands for a sender whose rights are not in question. */
function loaderOf(tx: Transaction, userId: number): Actor {
  return {
    organizationId: tx.organizationId,
    userId,
    role: Role.owner,
    isBot: false,
    botType: BotType.generic,
    botOwnerId: null,
    joinedAtSeconds: 0,
    canCreateUsers: false,
    canChangeUserEmails: false,
  }
}
