import { Role } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'

/** A user who has user messages in a topic. */
interface TopicReceiver {
  topic_key: string
  user_id: number
}

/** Finds the users who get the events about deleted messages of a channel. */
@perServer()
export class MessageReceiverRepository {
  /** The channel's receivers who have a user message for one of the messages, by topic. */
  async listReceiversWithUserMessage(
    tx: Transaction,
    channelId: number,
    messageIds: readonly number[],
  ): Promise<TopicReceiver[]> {
    return this.#userMessages(tx, messageIds)
      .join(tx.as('subscriptions', 's'), (join) => {
        join.on('s.user_id', 'um.user_id').andOnVal('s.channel_id', channelId)
      })
      .where({ 's.is_active': true, 's.is_user_active': true })
  }

  /** Active users, except guests, who have one of the messages and do not receive the channel. */
  async listOthersWithUserMessage(
    tx: Transaction,
    channelId: number,
    messageIds: readonly number[],
  ): Promise<TopicReceiver[]> {
    return this.#userMessages(tx, messageIds)
      .join(tx.as('users', 'u'), 'u.id', 'um.user_id')
      .leftJoin(tx.as('subscriptions', 's'), (join) => {
        join
          .on('s.user_id', 'um.user_id')
          .andOnVal('s.channel_id', channelId)
          .andOnVal('s.is_active', true)
      })
      .where('u.is_active', true)
      .whereNot('u.role', Role.guest)
      .whereNull('s.user_id')
  }

  #userMessages(tx: Transaction, messageIds: readonly number[]) {
    return tx
      .queryAs('messages', 'm')
      .join(tx.as('user_messages', 'um'), 'um.message_id', 'm.id')
      .whereIn('m.id', [...messageIds])
      .distinct<TopicReceiver[]>('m.topic_key', 'um.user_id')
      .orderBy('um.user_id')
  }
}
