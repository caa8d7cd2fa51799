import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { topicKey } from '../../../domain/messages/topics.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { ChannelForSender } from '../../channels/channels/index.js'
import { isHistoryProtected } from '../../channels/message-permissions/index.js'
import { TopicVisibility, UserTopicService } from '../../channels/topics/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import type { UserRow } from '../../people/users/index.js'
import { type MessagePlace, MessageRepository, type UserMessageFlags } from '../objects/index.js'
import type { SentMessage, StagedMessage } from './message-stages.js'

/** The values of the two settings for automatic topic policies. */
const occasion = { participation: 1, sending: 2, starting: 3 } as const

/** Lets senders follow or unmute the topics that they write in, according to their settings. */
@perServer()
class AutomaticVisibility {
  constructor(
    @inject(UserTopicService) private readonly userTopics: UserTopicService,
    @inject(MessageRepository) private readonly messages: MessageRepository,
  ) {}

  /**
   * Must be called after the message is stored, before its event is emitted.
   *
   * @returns the sender's new policy for the topic, if it changed.
   */
  async afterSending(
    tx: Transaction,
    sender: UserRow,
    found: ChannelForSender,
    place: MessagePlace & { readonly topic: string },
  ): Promise<number | undefined> {
    if (sender.is_bot) return undefined
    const policy = await this.#policy(tx, sender, found, place)
    if (policy === undefined || policy === found.topic.visibilityPolicy) return undefined
    await this.userTopics.setWithin(tx, sender.id, place.channelId, place.topic, policy)
    return policy
  }

  /** Lets mentioned users follow the topic, according to their settings. */
  async afterMentioning(
    tx: Transaction,
    { ofUsers }: UserMessageFlags,
    place: { readonly channelId: number; readonly topic: string },
  ): Promise<void> {
    const mentioned = [...ofUsers].filter(([, flags]) => (flags & MessageFlag.mentioned) !== 0)
    const userIds = mentioned.map(([userId]) => userId)
    await this.userTopics.followWhereMentioned(tx, userIds, place.channelId, place.topic)
  }

  async #policy(
    tx: Transaction,
    sender: UserRow,
    found: ChannelForSender,
    place: MessagePlace,
  ): Promise<number | undefined> {
    const current = found.topic.visibilityPolicy
    const settings = parseUserSettings(sender.settings)
    const following = settings.automatically_follow_topics_policy
    const unmuting = settings.automatically_unmute_topics_in_muted_streams_policy
    if (current === TopicVisibility.followed) return undefined
    if (isBySending(following)) return TopicVisibility.followed
    if (found.isMuted && isBySending(unmuting)) return TopicVisibility.unmuted
    if (current !== TopicVisibility.none) return undefined
    const follows = following === occasion.starting
    const unmutes = found.isMuted && unmuting === occasion.starting
    if (!follows && !unmutes) return undefined
    const needsUserMessage = isHistoryProtected(found.channel)
    if (found.topic.hasMessages && !needsUserMessage) return undefined
    const readerId = needsUserMessage ? sender.id : undefined
    if (await this.messages.hasEarlier(tx, place, readerId)) return undefined
    return follows ? TopicVisibility.followed : TopicVisibility.unmuted
  }
}

function isBySending(setting: number): boolean {
  return setting === occasion.participation || setting === occasion.sending
}

/** Applies the effects of users' new messages on other rows: topic policies and attachments. */
@perServer()
export class SenderEffects {
  constructor(
    @inject(AutomaticVisibility) private readonly visibility: AutomaticVisibility,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
  ) {}

  /**
   * Must be called before the events of the messages are emitted.
   *
   * @returns the effects of each of the messages, in the same order.
   */
  async apply(
    tx: Transaction,
    messages: readonly StagedMessage[],
  ): Promise<readonly Omit<SentMessage, 'id'>[]> {
    const changed: Omit<SentMessage, 'id'>[] = []
    /** Policies that an earlier one of the messages has changed, by sender and topic. */
    const policies = new Map<string, number>()
    for (const message of messages) {
      const { id, sender, rendered } = message
      const isOfSystemBot = isSystemBotId(sender.id)
      // System bots have no policies for topics, and own no attachments.
      const visibilityPolicy = isOfSystemBot
        ? undefined
        : await this.#changePolicies(tx, message, policies)
      const ownerId = message.attachmentOwnerId ?? (isOfSystemBot ? undefined : sender.id)
      if (ownerId !== undefined) {
        await this.attachments.claim(tx, { id, sender_id: ownerId }, rendered.attachmentIds)
      }
      changed.push(visibilityPolicy === undefined ? {} : { visibilityPolicy })
    }
    return changed
  }

  /** @returns the sender's new policy for the topic, if it changed. */
  async #changePolicies(
    tx: Transaction,
    { id, sender, destination, topic, flags }: StagedMessage,
    policies: Map<string, number>,
  ): Promise<number | undefined> {
    if (destination.kind === 'direct' || destination.forSender === undefined) return undefined
    const { channel, forSender } = destination
    const place = { messageId: id, channelId: channel.id, topicKey: topicKey(topic), topic }
    const key = `${sender.id} ${channel.id} ${place.topicKey}`
    const current = policies.get(key) ?? forSender.topic.visibilityPolicy
    const before = { ...forSender, topic: { ...forSender.topic, visibilityPolicy: current } }
    const policy = await this.visibility.afterSending(tx, sender, before, place)
    if (policy !== undefined) policies.set(key, policy)
    await this.visibility.afterMentioning(tx, flags, place)
    return policy
  }
}
