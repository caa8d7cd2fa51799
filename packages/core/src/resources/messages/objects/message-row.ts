import { topicKey } from '../../../domain/messages/topics.js'
import type { NewRow } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'

/** The parts of a message that its row stores. */
export interface MessageFacts {
  readonly senderId: number
  readonly recipientId: number
  /** Null for direct messages. */
  readonly channelId: number | null
  /** Empty for direct messages. */
  readonly topic: string
  readonly content: string
  readonly rendered: { readonly html: string; readonly traits: number }
  readonly sentAtSeconds: number
  readonly clientName: string
  /** Of all receivers in a channel. @default 0 */
  readonly sharedFlags?: number
}

/** The row of a message that was never edited or moved. */
export function newMessageRow(message: MessageFacts): NewRow<MessageRow> {
  return {
    sender_id: message.senderId,
    recipient_id: message.recipientId,
    channel_id: message.channelId,
    topic: message.topic,
    topic_key: topicKey(message.topic),
    content: message.content,
    rendered_content: message.rendered.html,
    sent_at_seconds: message.sentAtSeconds,
    client: message.clientName,
    content_traits: message.rendered.traits,
    edit_history: null,
    last_edited_at_seconds: null,
    last_moved_at_seconds: null,
    changed_channel_at_seconds: null,
    shared_flags: message.sharedFlags ?? 0,
  }
}
