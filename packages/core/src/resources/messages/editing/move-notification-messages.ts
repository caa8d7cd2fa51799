import { inject } from 'tsyringe'

import { topicKey } from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { MessageAccess, type MessageRow } from '../../channels/message-permissions/index.js'
import { TopicNotificationMessages } from '../notification-messages/index.js'
import { messagesDeleted } from './message-edit-events.js'
import { MessageErasure } from './message-erasure.js'
import { isResolveToggle, type TopicDestination } from './topic-move.js'
import { TopicSliceRepository } from './topic-slice-repository.js'

/** Which notification messages to post about a move. */
export interface MoveNotifications {
  readonly notifiesOldTopic: boolean
  readonly notifiesNewTopic: boolean
  /** Whether the content of the message changed too. */
  readonly changesContent: boolean
}

/** Posts notification messages to topics about moved messages and resolved topics. */
@perServer()
export class MoveNotificationMessages {
  constructor(
    @inject(TopicNotificationMessages) private readonly messages: TopicNotificationMessages,
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(TopicSliceRepository) private readonly slices: TopicSliceRepository,
    @inject(MessageErasure) private readonly erasure: MessageErasure,
  ) {}

  /**
   * Called after the events of the move are emitted.
   *
   * @param message the message before the move.
   */
  async post(
    tx: Transaction,
    actor: Actor,
    message: MessageRow,
    messageIds: readonly number[],
    to: TopicDestination,
    options: MoveNotifications,
  ): Promise<void> {
    const [source, target] = [to.source.channel, to.channel.channel]
    const isToggle = source.id === target.id && isResolveToggle(message.topic, to.topic)
    if (isToggle && !options.changesContent) {
      const place = { channel: target, topic: to.topic }
      const staleId = await this.messages.toggled(tx, actor, place, message.topic)
      if (staleId !== undefined) await this.#delete(tx, actor, staleId)
    }
    await this.messages.moved(tx, actor, {
      from: { channel: source, topic: message.topic },
      to: { channel: target, topic: to.topic },
      messageIds,
      isWholeTopic: to.mode === 'change_all' || (await this.#isEmpty(tx, message)),
      notifiesOldTopic: options.notifiesOldTopic,
      notifiesNewTopic: options.notifiesNewTopic && !isToggle,
    })
  }

  /** Whether the former topic has no messages left. */
  async #isEmpty(tx: Transaction, { channel_id, topic }: MessageRow): Promise<boolean> {
    const slice = { channelId: channel_id ?? 0, topicKey: topicKey(topic) }
    return !(await this.slices.hasMessages(tx, slice))
  }

  async #delete(tx: Transaction, actor: Actor, messageId: number): Promise<void> {
    const { message, channel } = await this.access.requireVisible(tx, actor, messageId)
    const audience = await this.access.audienceOf(tx, message)
    await this.erasure.erase(tx, [messageId])
    tx.emit(
      messagesDeleted(audience, {
        messageIds: [messageId],
        place: { channelId: message.channel_id ?? 0, topic: message.topic },
      }),
    )
    if (channel !== undefined) {
      await this.erasure.renewFirstMessage(tx, channel.channel, [messageId], audience)
    }
  }
}
