import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import {
  defineSnapshot,
  type SnapshotContext,
  type SnapshotValues,
} from '../../../resource-definition/snapshot.js'
import { MissingMessageRepository } from '../../channels/unwritten-messages/index.js'
import { ConversationRepository } from '../objects/index.js'

/** The keys of this part of the snapshot. */
const messageKeys = {
  max_message_id: Type.Integer({
    description: 'The id of the newest message; -1 without messages.',
  }),
  recent_private_conversations: Type.Array(
    Type.Object({
      max_message_id: Type.Integer(),
      user_ids: Type.Array(Type.Integer(), { description: 'The other participants.' }),
    }),
    { description: 'Newest first.' },
  ),
}

/** The maximum number of conversations in the response. */
const maxConversations = 1000

/** The newest message that the user received, and the user's recent direct conversations. */
@perServer()
export class MessageSnapshot {
  constructor(
    @inject(MissingMessageRepository) private readonly missing: MissingMessageRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
  ) {}

  async load(context: SnapshotContext): Promise<SnapshotValues<typeof messageKeys>> {
    const { scope, actor } = context
    const [newest, conversations] = await scope.readTogether(
      async () =>
        context.wants('message') && {
          max_message_id: (await this.missing.findNewestReceivedId(scope, actor.userId)) ?? -1,
        },
      async () =>
        context.wants('recent_private_conversations') && {
          recent_private_conversations: await this.#recentConversations(context),
        },
    )
    return { ...newest, ...conversations }
  }

  /** Newest first; a conversation with oneself has no other participants. */
  async #recentConversations({
    scope,
    actor,
  }: SnapshotContext): Promise<{ max_message_id: number; user_ids: number[] }[]> {
    const recent = await this.conversations.listRecent(scope, actor.userId, maxConversations)
    const recipientIds = recent.map(({ recipientId }) => recipientId)
    const members = await this.conversations.members(scope, recipientIds)
    return recent.map(({ recipientId, newestMessageId }) => ({
      max_message_id: newestMessageId,
      user_ids: (members.get(recipientId) ?? []).filter((id) => id !== actor.userId),
    }))
  }
}

export const messageSnapshot = defineSnapshot({
  keys: messageKeys,
  service: MessageSnapshot,
  load: async (service, context) => service.load(context),
})
