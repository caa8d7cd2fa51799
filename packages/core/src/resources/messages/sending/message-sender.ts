import { inject, injectAll } from 'tsyringe'

import { isSystemBotId } from '../../../domain/users/system-bots.js'
import type { Audience } from '../../../events/event.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import type { ChannelRow } from '../../channels/channels/index.js'
import { MessageAudiences } from '../../channels/message-permissions/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import { newMessageRow } from '../objects/index.js'
import { DirectRecipients } from './direct-recipients.js'
import { MessageAnnouncer } from './message-announcer.js'
import { MessageSentStepToken, type MessageSentStep } from './message-sent-steps.js'
import type { PreparedMessage, SentMessage, StagedMessage } from './message-stages.js'
import { SenderEffects } from './sender-effects.js'
import { StagedMessageRepository } from './staged-message-repository.js'
import { flagGroupsOf } from './user-message-flags.js'

/**
 * Stores prepared messages and emits their events: one path for the messages of users, bots and
 * system bots. The number of statements does not depend on the number of messages, except for the
 * effects of a message for its sender ({@link SenderEffects}).
 */
@perServer()
export class MessageSender {
  constructor(
    @inject(StagedMessageRepository) private readonly messages: StagedMessageRepository,
    @inject(DirectRecipients) private readonly direct: DirectRecipients,
    @inject(SenderEffects) private readonly effects: SenderEffects,
    @inject(MessageAudiences) private readonly audiences: MessageAudiences,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(MessageAnnouncer) private readonly announcer: MessageAnnouncer,
    @injectAll(MessageSentStepToken) private readonly steps: readonly MessageSentStep[],
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Sends messages that were prepared in the transaction, or that are still current in it.
   *
   * @returns the messages as sent when `tx` commits, in the same order.
   */
  async send(tx: Transaction, messages: readonly PreparedMessage[]): Promise<SentMessage[]> {
    if (messages.length === 0) return []
    const staged = await this.#stage(tx, messages)
    const effects = await this.effects.apply(tx, staged)
    const audienceOf = await this.#audiences(tx, staged)
    const yielder = new EventLoopYielder()
    for (const message of staged) {
      if (yielder.isDue) await yielder.yield()
      await this.announcer.announce(tx, audienceOf(message), message)
    }
    for (const step of this.steps) await step.sent(tx, staged)
    return staged.map(({ id }, index) => ({ id, ...effects[index] }))
  }

  /** Inserts the messages and the user messages of their recipients. */
  async #stage(tx: Transaction, messages: readonly PreparedMessage[]): Promise<StagedMessage[]> {
    const recipientIds = await this.#recipientIds(tx, messages)
    const sentAtSeconds = nowSeconds(this.clock)
    const ids = await this.messages.insert(
      tx,
      messages.map(({ sender, destination, topic, content, rendered, clientName, flags }, index) =>
        newMessageRow({
          senderId: sender.id,
          recipientId: present(recipientIds[index], 'the recipient of each message'),
          channelId: destination.kind === 'channel' ? destination.channel.id : null,
          topic,
          content,
          rendered,
          sentAtSeconds,
          clientName,
          sharedFlags: destination.kind === 'channel' ? flags.forEveryone : 0,
        }),
      ),
    )
    const staged = messages.map((message, index): StagedMessage => {
      const id = present(ids[index], 'the id of each message')
      const recipientId = present(recipientIds[index], 'the recipient of each message')
      return { ...message, id, recipientId, sentAtSeconds }
    })
    await this.#insertUserMessages(tx, staged)
    return staged
  }

  /** The recipient of each message. Inserts conversations for their first messages. */
  async #recipientIds(tx: Transaction, messages: readonly PreparedMessage[]): Promise<number[]> {
    const conversations = await this.direct.conversations(
      tx,
      messages.flatMap(({ destination }) =>
        destination.kind === 'direct' ? [destination.participants] : [],
      ),
    )
    let next = 0
    return messages.map(({ destination }) =>
      destination.kind === 'direct'
        ? present(conversations[next++], 'each conversation')
        : destination.channel.recipient_id,
    )
  }

  async #insertUserMessages(tx: Transaction, staged: readonly StagedMessage[]): Promise<void> {
    const inChannels = staged.filter(({ destination }) => destination.kind === 'channel')
    const direct = staged.filter(({ destination }) => destination.kind === 'direct')
    await this.messages.insertChannelUserMessages(tx, idsOf(inChannels), flagGroupsOf(inChannels))
    await this.messages.insertDirectUserMessages(tx, idsOf(direct), flagGroupsOf(direct))
    await this.messages.insertUserMessages(
      tx,
      staged.flatMap(({ id, addedBotIds, flags }) =>
        addedBotIds.map((userId) => ({
          user_id: userId,
          message_id: id,
          flags: (flags.ofUsers.get(userId) ?? 0) | flags.forEveryone,
        })),
      ),
    )
    const first = new Map<number, number>()
    for (const { id, destination } of staged) {
      if (destination.kind === 'direct' || destination.channel.first_message_id !== null) continue
      if (!first.has(destination.channel.id)) first.set(destination.channel.id, id)
    }
    await this.messages.setFirstMessages(tx, first)
  }

  async #audiences(
    tx: Transaction,
    staged: readonly StagedMessage[],
  ): Promise<(message: StagedMessage) => Audience> {
    const channels = new Map<number, ChannelRow>()
    let knownMemberAudienceId: number | null = null
    for (const { destination } of staged) {
      if (destination.kind === 'direct') continue
      channels.set(destination.channel.id, destination.channel)
      knownMemberAudienceId ??= destination.forSender?.memberAudienceId ?? null
    }
    const audienceIds = await this.audiences.ofAll(tx, [...channels.values()])
    const memberAudienceId = [...channels.values()].some((channel) => !channel.is_private)
      ? await this.activeUsers.memberAudience(tx, knownMemberAudienceId)
      : null
    return ({ destination, addedBotIds }) => {
      if (destination.kind === 'direct') {
        const users = destination.participants.filter(
          ({ id, is_active }) => is_active && !isSystemBotId(id),
        )
        return { userIds: users.map(({ id }) => id) }
      }
      const { channel } = destination
      return {
        audienceId: present(audienceIds.get(channel.id), 'the audience of each channel'),
        userIds: addedBotIds,
        followerAudienceId: channel.is_private ? null : memberAudienceId,
      }
    }
  }
}

function idsOf(staged: readonly StagedMessage[]): number[] {
  return staged.map(({ id }) => id)
}
