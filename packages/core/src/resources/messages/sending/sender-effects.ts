import { inject } from 'tsyringe'

import { topicKey } from '../../../domain/topics.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import { AutomaticVisibility } from './automatic-visibility.js'
import type { SentMessage, StagedMessage } from './message-stages.js'

/** Applies what a user's new message changes apart from itself: topic policies and attachments. */
@perServer()
export class SenderEffects {
  constructor(
    @inject(AutomaticVisibility) private readonly visibility: AutomaticVisibility,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
  ) {}

  /** Must be called before the event of the message is emitted. */
  async apply(tx: Transaction, message: StagedMessage): Promise<Omit<SentMessage, 'id'>> {
    const visibilityPolicy = await this.#changePolicies(tx, message)
    const { id, sender, rendered } = message
    await this.attachments.claim(tx, { id, sender_id: sender.id }, rendered.attachmentIds)
    return visibilityPolicy === undefined ? {} : { visibilityPolicy }
  }

  /** @returns the sender's new policy for the topic, if it changed. */
  async #changePolicies(
    tx: Transaction,
    { id, sender, destination, topic, flags }: StagedMessage,
  ): Promise<number | undefined> {
    if (destination.kind === 'direct' || destination.forSender === undefined) return undefined
    const channelId = destination.channel.id
    const place = { messageId: id, channelId, topicKey: topicKey(topic), topic }
    const policy = await this.visibility.afterSending(tx, sender, destination.forSender, place)
    await this.visibility.afterMentioning(tx, flags, place)
    return policy
  }
}
