import { inject } from 'tsyringe'

import { interpretTopic, topicKey } from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelAccess } from '../../channels/channels/index.js'
import { MessageAccess, type VisibleMessage } from '../../channels/message-permissions/index.js'
import { TopicPolicies } from '../../channels/topics/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { messagesDeleted } from './message-edit-events.js'
import { MessageErasure } from './message-erasure.js'
import { TopicSliceRepository } from './topic-slice-repository.js'
import { visiblePart } from './topic-slice.js'

const batchSize = 100
/** The time limit of a request that deletes a topic, in milliseconds. */
const topicDeletionMilliseconds = 50_000

/**
 * Decides who may delete a message, and deletes messages. Whole topics are deleted by administrators
 * only, as their operation declares.
 */
@perServer()
export class MessageDeletion {
  constructor(
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(ChannelAccess) private readonly channelAccess: ChannelAccess,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(TopicPolicies) private readonly policies: TopicPolicies,
    @inject(MessageErasure) private readonly erasure: MessageErasure,
    @inject(TopicSliceRepository) private readonly slices: TopicSliceRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if `actor` cannot see the message, or may not delete it. */
  async delete(actor: Actor, messageId: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const visible = await this.access.requireChangeable(tx, actor, messageId)
      await this.#requireAllowed(tx, actor, visible)
      const { message, channel } = visible
      const audience = await this.access.audienceOf(tx, message, channel)
      await this.erasure.erase(tx, [messageId])
      const place =
        channel === undefined ? null : { channelId: channel.channel.id, topic: message.topic }
      tx.emit(
        messagesDeleted(
          { ...audience, userIds: [...new Set([...(audience.userIds ?? []), actor.userId])] },
          { messageIds: [messageId], place },
        ),
      )
      if (channel !== undefined) {
        await this.erasure.renewFirstMessage(tx, channel.channel, [messageId], audience)
      }
    })
  }

  /**
   * Deletes a topic, newest messages first, in batches with a transaction each. In a channel with
   * protected history, only the messages that `actor` received are deleted.
   *
   * @returns false if the time limit was reached; the next request continues.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not read the channel.
   */
  async deleteTopic(actor: Actor, channelId: number, topicName: string): Promise<boolean> {
    const topic = interpretTopic(topicName)
    const deadline = this.clock.now() + topicDeletionMilliseconds
    for (;;) {
      const deleted = await this.unitOfWork.runFor(actor, (tx) =>
        this.#deleteBatch(tx, actor, channelId, topic),
      )
      if (deleted < batchSize) return true
      if (this.clock.now() > deadline) return false
    }
  }

  async #deleteBatch(
    tx: Transaction,
    actor: Actor,
    channelId: number,
    topic: string,
  ): Promise<number> {
    const found = await this.channelAccess.requireReadable(tx, actor, channelId)
    const slice = visiblePart(
      { channelId, topicKey: topicKey(topic) },
      await this.channelAccess.viewer(actor),
      found,
    )
    const ids = await this.slices.lockNewestIds(tx, slice, batchSize)
    const newest = ids.at(-1)
    if (newest === undefined) {
      await this.#clearEmptyTopic(tx, channelId, topic)
      return 0
    }
    const { message } = await this.access.requireVisible(tx, actor, newest)
    const audience = await this.access.audienceOf(tx, message, { messageIds: ids })
    await this.erasure.erase(tx, ids)
    tx.emit(
      messagesDeleted(
        { ...audience, userIds: [...new Set([...(audience.userIds ?? []), actor.userId])] },
        { messageIds: ids, place: { channelId, topic: message.topic } },
      ),
    )
    await this.erasure.renewFirstMessage(tx, found.channel, ids, audience)
    if (ids.length < batchSize) await this.#clearEmptyTopic(tx, channelId, topic)
    return ids.length
  }

  /** Deletes the users' visibility policies of a topic if the topic has no messages left. */
  async #clearEmptyTopic(tx: Transaction, channelId: number, topic: string): Promise<void> {
    if (await this.slices.hasMessages(tx, { channelId, topicKey: topicKey(topic) })) return
    await this.policies.clear(tx, { channelId, topic })
  }

  async #requireAllowed(
    tx: Transaction,
    actor: Actor,
    { message, channel }: VisibleMessage,
  ): Promise<void> {
    if (await this.groups.allows(actor, 'can_delete_any_message_group')) return
    const row = channel?.channel
    if (row !== undefined) {
      if (await this.channelAccess.allows(actor, row, 'can_delete_any_message_group')) return
    }
    const sender = await this.users.find(tx, message.sender_id)
    const isOwn = message.sender_id === actor.userId || sender?.bot_owner_id === actor.userId
    const may =
      isOwn &&
      ((await this.groups.allows(actor, 'can_delete_own_message_group')) ||
        (row !== undefined &&
          (await this.channelAccess.allows(actor, row, 'can_delete_own_message_group'))))
    if (!may) throw badRequest('MESSAGE_DELETION_NOT_ALLOWED')
    const { settings } = await this.organizations.require(tx.organizationId)
    const limit = settings.message_content_delete_limit_seconds
    if (limit !== null && nowSeconds(this.clock) - message.sent_at_seconds > limit) {
      throw badRequest('MESSAGE_TOO_OLD_TO_DELETE')
    }
  }
}
