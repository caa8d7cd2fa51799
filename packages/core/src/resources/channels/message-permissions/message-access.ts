import { inject } from 'tsyringe'

import { unreceivedFlags } from '../../../domain/messages/message-flags.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  type ChannelForUser,
  type ChannelRow,
} from '../channels/index.js'
import { MessageAccessRepository, type MessageForUser } from './message-access-repository.js'
import type { MessageRow } from './messages-table.js'
import { MessageAudiences } from './message-audiences.js'
import { MessageReceiverRepository, type TopicReceiver } from './message-receiver-repository.js'
import { isHistoryProtected, mayRead } from './reading-rule.js'

/** A message that an actor may read. */
export interface VisibleMessage {
  readonly message: MessageRow
  /** Mask of `MessageFlag`; the defaults if the actor never received the message. */
  readonly flags: number
  /** Whether the actor has a user message for the message. */
  readonly hasUserMessage: boolean
  /** The channel with the actor's subscription; undefined for direct messages. */
  readonly channel: ChannelForUser | undefined
}

/** Finds the messages of a request, if the actor may read them. */
@perServer()
export class MessageAccess {
  constructor(
    @inject(MessageAccessRepository) private readonly messages: MessageAccessRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly channelAccess: ChannelAccess,
    @inject(MessageReceiverRepository) private readonly receivers: MessageReceiverRepository,
    @inject(MessageAudiences) private readonly audiences: MessageAudiences,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such message, or `actor` may not see it. */
  async requireVisible(
    scope: OrganizationScope,
    actor: Actor,
    messageId: number,
  ): Promise<VisibleMessage> {
    const [visible] = await this.listVisible(scope, actor, [messageId])
    if (visible === undefined) throw badRequest('MESSAGE_UNKNOWN')
    return visible
  }

  /**
   * Finds a message that `actor` may see and whose channel is not archived, and locks it until
   * `tx` ends.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such message, `actor` may not see it, or its
   *   channel is archived.
   */
  async requireChangeable(
    tx: Transaction,
    actor: Actor,
    messageId: number,
  ): Promise<VisibleMessage> {
    const found = await this.messages.findForChange(tx, [messageId], actor.userId)
    const [visible] = await this.#visibleOnes(tx, actor, found)
    if (visible === undefined) throw badRequest('MESSAGE_UNKNOWN')
    if (visible.channel?.channel.is_archived) throw badRequest('MESSAGE_UNKNOWN')
    return visible
  }

  /** The messages that exist and that `actor` may see, ascending. */
  async listVisible(
    scope: OrganizationScope,
    actor: Actor,
    messageIds: readonly number[],
  ): Promise<VisibleMessage[]> {
    const ids = [...new Set(messageIds)].filter(Number.isSafeInteger).sort((a, b) => a - b)
    const found = await this.messages.findForUser(scope, ids, actor.userId)
    return this.#visibleOnes(scope, actor, found)
  }

  /**
   * The users who get events about a message, such as a reaction or a deletion. Users who may read
   * the message, but neither receive the channel nor have a user message, get no events.
   *
   * @param known.channel the message's channel, if it was read in the same transaction.
   * @param known.messageIds all changed messages, if the change affects several of the topic.
   */
  async audienceOf(
    tx: Transaction,
    message: MessageRow,
    known: {
      readonly channel?: ChannelRow | undefined
      readonly messageIds?: readonly number[]
    } = {},
  ): Promise<Audience> {
    const { channel_id: channelId } = message
    const messages = { channelId, ids: known.messageIds ?? [message.id] }
    const channel =
      channelId === null ? undefined : (known.channel ?? (await this.channels.find(tx, channelId)))
    if (channel === undefined) return { userIds: await this.receivers.listIds(tx, messages) }
    if (!channel.is_private) {
      return {
        audienceId: await this.audiences.of(tx, channel),
        userIds: idsOf(await this.receivers.listOthers(tx, messages)),
      }
    }
    if (isHistoryProtected(channel)) {
      return { userIds: idsOf(await this.receivers.listSubscribed(tx, messages)) }
    }
    return { audienceId: await this.audiences.of(tx, channel) }
  }

  async #visibleOnes(
    scope: OrganizationScope,
    actor: Actor,
    found: readonly MessageForUser[],
  ): Promise<VisibleMessage[]> {
    const channels = await this.#channelsOf(scope, actor, found)
    const viewer = await this.channelAccess.viewer(actor)
    const visible: VisibleMessage[] = []
    for (const { user_message_flags, ...message } of found) {
      const hasUserMessage = user_message_flags !== null
      const channel = message.channel_id === null ? undefined : channels.get(message.channel_id)
      if (message.channel_id !== null && channel === undefined) continue
      if (!mayRead(viewer, channel, hasUserMessage)) continue
      visible.push({
        message,
        flags: user_message_flags ?? unreceivedFlags,
        hasUserMessage,
        channel,
      })
    }
    return visible
  }

  /** The messages' channels with the actor's subscriptions, by id. */
  async #channelsOf(
    scope: OrganizationScope,
    actor: Actor,
    messages: readonly MessageRow[],
  ): Promise<ReadonlyMap<number, ChannelForUser>> {
    const ids = new Set(messages.map((message) => message.channel_id).filter((id) => id !== null))
    const found = await this.channels.findManyForUser(scope, [...ids], actor.userId)
    return new Map(found.map((one) => [one.channel.id, one]))
  }
}

function idsOf(receivers: readonly TopicReceiver[]): number[] {
  return [...new Set(receivers.map(({ user_id }) => user_id))]
}
