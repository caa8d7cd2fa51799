import type { RepeatableCall } from '../../../kernel/repeatable-call.js'
import type { ChannelForSender, ChannelRow } from '../../channels/channels/index.js'
import type { RenderedContent } from '../../content/rendering/index.js'
import type { UserRow } from '../../people/users/index.js'
import type { UserMessageFlags } from '../objects/index.js'
import type { LocalId } from './message-draft.js'

/*
 * The stages of sending a message, in order:
 * `MessageDraft` (message-draft.ts): the message that a user or bot wants to send;
 * `PreparedMessage`: all checks have passed, and the content is rendered;
 * `StagedMessage`: its rows are inserted, but not committed;
 * `SentMessage`: the result for the sender.
 */

/** Where a message is sent to. */
export type Destination =
  | {
      readonly kind: 'direct'
      /** Including the sender, ascending by id. */
      readonly participants: readonly UserRow[]
    }
  | {
      readonly kind: 'channel'
      readonly channel: ChannelRow
      /** The sender's subscription and topic; undefined for system bots, which have none. */
      readonly forSender: ChannelForSender | undefined
    }

/** A message that has passed all checks and is rendered, so that it can be stored. */
export interface PreparedMessage {
  readonly sender: UserRow
  readonly destination: Destination
  /** Empty for direct messages. */
  readonly topic: string
  readonly content: string
  readonly rendered: RenderedContent
  readonly flags: UserMessageFlags
  readonly clientName: string
  /** JSON of the message's widget. */
  readonly widget?: string | undefined
  readonly local?: LocalId | undefined
  readonly repeatable?: RepeatableCall | undefined
  /** Mentioned bots that get the message without a subscription. */
  readonly addedBotIds: readonly number[]
  /** The active outgoing webhook bots that a human sender mentioned or wrote to. */
  readonly calledBotIds: readonly number[]
  /** The owner of the attachments of a message of a system bot; without one, it keeps none. */
  readonly attachmentOwnerId?: number
}

/** A message whose rows are inserted; its transaction is not committed yet. */
export interface StagedMessage extends PreparedMessage {
  readonly id: number
  readonly recipientId: number
  readonly sentAtSeconds: number
}

/** A message that was sent. */
export interface SentMessage {
  readonly id: number
  /** The sender's new policy for the topic (followed or unmuted); absent if unchanged. */
  readonly visibilityPolicy?: number
}
