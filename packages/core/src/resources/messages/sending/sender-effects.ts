import { inject } from 'tsyringe'

import { topicKey } from '../../../domain/messages/topics.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import { AutomaticVisibility } from './automatic-visibility.js'
import type { SentMessage, StagedMessage } from './message-stages.js'

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
