import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { limits } from '../../../domain/limits.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  defineSnapshot,
  type SnapshotContext,
  type SnapshotValues,
} from '../../../resource-definition/snapshot.js'
import { ConversationRepository } from '../objects/index.js'
import { MessageFlagRepository } from './message-flag-repository.js'
import { PlacedMessageRepository } from './placed-message-repository.js'
import { groupUnread, UnreadMessages } from './unread-messages.js'

/** The keys of this part of the snapshot. */
const messageFlagKeys = {
  unread_msgs: UnreadMessages,
  starred_messages: Type.Array(Type.Integer()),
}

/** The unread and the starred messages. */
@perServer()
export class MessageFlagSnapshot {
  constructor(
    @inject(MessageFlagRepository) private readonly userMessages: MessageFlagRepository,
    @inject(PlacedMessageRepository) private readonly placed: PlacedMessageRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
  ) {}

  async load(context: SnapshotContext): Promise<SnapshotValues<typeof messageFlagKeys>> {
    const { scope, actor } = context
    const limit = limits.maxStarredMessages
    const [unread, starred] = await scope.readTogether(
      async () =>
        context.wants('message') &&
        context.wants('update_message_flags') && { unread_msgs: await this.#unread(context) },
      async () =>
        context.wants('starred_messages') && {
          starred_messages: await this.userMessages.listStarredIds(scope, actor.userId, limit),
        },
    )
    return { ...unread, ...starred }
  }

  async #unread({ scope, actor, queue }: SnapshotContext): Promise<UnreadMessages> {
    const limit = limits.maxUnreadMessages
    const { userId } = actor
    const userMessages = await this.placed.listUnread(scope, userId, limit)
    const recipientIds = userMessages.flatMap(({ channelId, recipientId }) =>
      channelId === null ? recipientId : [],
    )
    const members = await this.conversations.members(scope, [...new Set(recipientIds)])
    return groupUnread(userMessages, members, {
      userId: actor.userId,
      isCut: userMessages.length === limit,
      allowsEmptyTopics: queue.capabilities.empty_topic_name === true,
    })
  }
}

export const messageFlagSnapshot = defineSnapshot({
  keys: messageFlagKeys,
  service: MessageFlagSnapshot,
  load: async (service, context) => service.load(context),
})
