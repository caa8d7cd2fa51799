import { inject } from 'tsyringe'

import type { Audience } from '../../../events/event.js'
import { groupBy } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { Transaction } from '../../../storage/index.js'
import type { ChannelRow } from '../../channels/channels/index.js'
import {
  isHistoryProtected,
  MessageAudiences,
  MessageReceiverRepository,
} from '../../channels/message-permissions/index.js'
import { MessageErasure, messagesDeleted } from '../editing/index.js'
import { ConversationRepository } from '../objects/index.js'

/** A message to be deleted. */
export interface DeletedMessage {
  readonly id: number
  readonly recipient_id: number
  readonly topic: string
  readonly topic_key: string
}

/**
 * Deletes messages without a request of a user, and sends the same events as if an administrator
 * had deleted them. Permissions are not checked.
 */
@perServer()
export class BatchDeletion {
  constructor(
    @inject(MessageErasure) private readonly erasure: MessageErasure,
    @inject(MessageAudiences) private readonly audiences: MessageAudiences,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(MessageReceiverRepository) private readonly receivers: MessageReceiverRepository,
  ) {}

  /** Direct messages, of any conversations. */
  async deleteDirect(tx: Transaction, messages: readonly DeletedMessage[]): Promise<void> {
    const byConversation = groupBy(messages, ({ recipient_id }) => recipient_id)
    const members = await this.conversations.members(tx, [...byConversation.keys()])
    await this.erasure.erase(tx, idsOf(messages))
    for (const [recipientId, conversation] of byConversation) {
      const userIds = members.get(recipientId) ?? []
      tx.emit(messagesDeleted({ userIds }, { messageIds: idsOf(conversation), place: null }))
    }
  }

  /** Messages of one channel, of any topics. */
  async deleteOfChannel(
    tx: Transaction,
    channel: ChannelRow,
    messages: readonly DeletedMessage[],
  ): Promise<void> {
    const messageIds = idsOf(messages)
    const audiences = await this.#audiences(tx, channel, messageIds)
    await this.erasure.erase(tx, messageIds)
    for (const [topicKey, ofTopic] of groupBy(messages, ({ topic_key }) => topic_key)) {
      const { topic } = present(ofTopic.at(-1), 'a message of each topic')
      const place = { channelId: channel.id, topic }
      tx.emit(messagesDeleted(audiences.of(topicKey), { messageIds: idsOf(ofTopic), place }))
    }
    await this.erasure.renewFirstMessage(tx, channel, messageIds, audiences.ofAll)
  }

  /** The audience of each topic's messages, the same as if a user deletes them. */
  async #audiences(
    tx: Transaction,
    channel: ChannelRow,
    messageIds: readonly number[],
  ): Promise<{ readonly ofAll: Audience; of(topicKey: string): Audience }> {
    const isHidden = isHistoryProtected(channel)
    const common: Audience = isHidden ? {} : { audienceId: await this.audiences.of(tx, channel) }
    if (channel.is_private && !isHidden) return { ofAll: common, of: () => common }
    const messages = { channelId: channel.id, ids: messageIds }
    const owners = isHidden
      ? await this.receivers.listSubscribed(tx, messages)
      : await this.receivers.listOthers(tx, messages)
    const byTopic = groupBy(owners, ({ topic_key }) => topic_key)
    const userIdsOf = (list: typeof owners) => [...new Set(list.map(({ user_id }) => user_id))]
    return {
      ofAll: { ...common, userIds: userIdsOf(owners) },
      of: (topicKey) => ({ ...common, userIds: userIdsOf(byTopic.get(topicKey) ?? []) }),
    }
  }
}

function idsOf(messages: readonly DeletedMessage[]): number[] {
  return messages.map(({ id }) => id)
}
