import { inject } from 'tsyringe'

import { groupBy } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import { TopicPolicies } from '../../channels/topics/index.js'
import { ReactionService } from '../../messages/reactions/index.js'
import { BatchDeletion } from '../../messages/retention/index.js'
import { PersonalRowRepository, type SentMessage } from './personal-row-repository.js'

/** Small, so that other writes do not wait long for the lock of the organization. */
const messagesPerBatch = 100
const reactionsPerBatch = 50

/** Deletes the content of a user, with the same events as if an administrator had deleted it. */
@perServer()
export class ErasedContent {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(PersonalRowRepository) private readonly rows: PersonalRowRepository,
    @inject(BatchDeletion) private readonly deletion: BatchDeletion,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(TopicPolicies) private readonly policies: TopicPolicies,
    @inject(ReactionService) private readonly reactions: ReactionService,
  ) {}

  /**
   * Deletes the messages of conversations in which no other user takes part: with oneself, with the
   * system bots, and with other erased users.
   *
   * @returns their number.
   */
  async deletePrivate(organizationId: number, userId: number): Promise<number> {
    const scope = this.database.read(organizationId)
    let deleted = 0
    for (const recipientId of await this.rows.listPrivateConversations(scope, userId)) {
      deleted += await this.#deleteAll(organizationId, (tx) =>
        this.rows.lockOfConversation(tx, recipientId, messagesPerBatch),
      )
    }
    return deleted
  }

  /**
   * Deletes everything that others can read: messages, reactions and submessages.
   *
   * @returns the number of messages.
   */
  async deleteShared(organizationId: number, userId: number): Promise<number> {
    const deleted = await this.#deleteAll(organizationId, (tx) =>
      this.rows.lockSent(tx, userId, messagesPerBatch),
    )
    const scope = this.database.read(organizationId)
    for await (const ids of this.rows.idsWhere(scope, 'reactions', 'user_id = ?', [userId])) {
      for (const batch of chunksOf(ids, reactionsPerBatch)) {
        await this.unitOfWork.run(organizationId, (tx) => this.#withdraw(tx, batch))
      }
    }
    for await (const ids of this.rows.idsWhere(scope, 'submessages', 'sender_id = ?', [userId])) {
      await this.unitOfWork.run(organizationId, async (tx) => {
        await this.rows.deleteSubmessages(tx, ids)
      })
    }
    return deleted
  }

  async #deleteAll(
    organizationId: number,
    lockBatch: (tx: Transaction) => Promise<readonly SentMessage[]>,
  ): Promise<number> {
    let deleted = 0
    let count: number
    do {
      count = await this.unitOfWork.run(organizationId, async (tx) =>
        this.#delete(tx, await lockBatch(tx)),
      )
      deleted += count
    } while (count > 0)
    return deleted
  }

  async #delete(tx: Transaction, messages: readonly SentMessage[]): Promise<number> {
    for (const [channelId, ofChannel] of groupBy(messages, ({ channel_id }) => channel_id)) {
      if (channelId === null) {
        await this.deletion.deleteDirect(tx, ofChannel)
        continue
      }
      const channel = present(await this.channels.find(tx, channelId), 'the channel of a message')
      await this.deletion.deleteOfChannel(tx, channel, ofChannel)
      const topics = groupBy(ofChannel, ({ topic_key }) => topic_key)
      for (const key of await this.rows.listTopicsWithPolicies(tx, channelId, [...topics.keys()])) {
        if (await this.rows.hasTopic(tx, channelId, key)) continue
        const { topic } = present(topics.get(key)?.[0], 'a message of each topic')
        await this.policies.clear(tx, { channelId, topic })
      }
    }
    return messages.length
  }

  async #withdraw(tx: Transaction, reactionIds: readonly number[]): Promise<void> {
    for (const row of await this.rows.listReactions(tx, reactionIds)) {
      const message = await this.rows.findMessage(tx, row.message_id)
      if (message !== undefined) await this.reactions.withdraw(tx, message, row)
    }
  }
}
