import { inject } from 'tsyringe'

import type { Audience } from '../../../events/event.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { groupBy } from '../../../kernel/grouping.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelRepository, type ChannelRow } from '../../channels/channels/index.js'
import { MessageAudiences, isHistoryProtected } from '../../channels/message-permissions/index.js'
import { MessageErasure, messagesDeleted } from '../editing/index.js'
import { ConversationRepository } from '../objects/index.js'
import {
  eachOrganization,
  OrganizationRepository,
  OrganizationService,
} from '../../organization/organizations/index.js'
import {
  MessageRetentionRepository,
  secondsPerDay,
  type ExpiredMessage,
  type ExpiredPlace,
} from './message-retention-repository.js'

/** Small, so that other writes do not wait long for the lock of the organization. */
const messagesPerBatch = 100

/**
 * Deletes expired messages: those of a channel after its `message_retention_days`, all others
 * after the retention time of the organization. Starred messages, archived channels and
 * deactivated organizations are not exempt.
 *
 * Each batch is selected and deleted in one transaction, so several processes may run at once.
 */
@perServer()
export class MessageRetention implements BackgroundWork {
  readonly name = 'Deleting messages that are no longer kept'
  /** A message may remain this much longer than its retention time. */
  readonly intervalMilliseconds = 30 * 60 * 1000

  constructor(
    @inject(MessageRetentionRepository) private readonly expired: MessageRetentionRepository,
    @inject(MessageErasure) private readonly erasure: MessageErasure,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(MessageAudiences) private readonly audiences: MessageAudiences,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(OrganizationService) private readonly states: OrganizationService,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async round(round: Round): Promise<void> {
    await eachOrganization(this.organizations, round, async (id) => {
      for (const place of await this.#listPlaces(id)) {
        let isDone = false
        while (!isDone) {
          if (round.stopping.aborted) return
          const deleted = await this.unitOfWork.run(id, (tx) => this.#deleteBatch(tx, place))
          isDone = deleted < messagesPerBatch
        }
      }
    })
  }

  async #listPlaces(organizationId: number): Promise<ExpiredPlace[]> {
    const scope = this.database.read(organizationId)
    const own = (await this.states.require(organizationId)).settings.message_retention_days
    const ofChannels = await this.expired.shortestOfChannels(scope)
    const limits = [own, ofChannels ?? -1].filter((days) => days > 0)
    if (limits.length === 0) return []
    return this.expired.listPlaces(scope, nowSeconds(this.clock), Math.min(...limits), own)
  }

  async #deleteBatch(tx: Transaction, place: ExpiredPlace): Promise<number> {
    const { channelId } = place
    const channel = channelId === null ? undefined : await this.channels.find(tx, channelId)
    const { settings } = await this.states.requireWithin(tx)
    // The setting may have changed since the places were listed.
    const days = channel?.message_retention_days ?? settings.message_retention_days
    if (days <= 0) return 0
    const before = nowSeconds(this.clock) - days * secondsPerDay
    const messages = await this.expired.listExpired(tx, place, before, messagesPerBatch)
    if (messages.length === 0) return 0
    if (channel === undefined) await this.#deleteDirect(tx, messages)
    else await this.#deleteOfChannel(tx, channel, messages)
    return messages.length
  }

  async #deleteDirect(tx: Transaction, messages: readonly ExpiredMessage[]): Promise<void> {
    const byConversation = groupBy(messages, ({ recipient_id }) => recipient_id)
    const members = await this.conversations.members(tx, [...byConversation.keys()])
    await this.erasure.erase(tx, idsOf(messages))
    for (const [recipientId, conversation] of byConversation) {
      const userIds = members.get(recipientId) ?? []
      tx.emit(messagesDeleted({ userIds }, { messageIds: idsOf(conversation), place: null }))
    }
  }

  async #deleteOfChannel(
    tx: Transaction,
    channel: ChannelRow,
    messages: readonly ExpiredMessage[],
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
    const owners = isHidden
      ? await this.expired.listReceiversWithUserMessage(tx, channel.id, messageIds)
      : await this.expired.listOthersWithUserMessage(tx, channel.id, messageIds)
    const byTopic = groupBy(owners, ({ topic_key }) => topic_key)
    const userIdsOf = (list: typeof owners) => [...new Set(list.map(({ user_id }) => user_id))]
    return {
      ofAll: { ...common, userIds: userIdsOf(owners) },
      of: (topicKey) => ({ ...common, userIds: userIdsOf(byTopic.get(topicKey) ?? []) }),
    }
  }
}

function idsOf(messages: readonly ExpiredMessage[]): number[] {
  return messages.map(({ id }) => id)
}
