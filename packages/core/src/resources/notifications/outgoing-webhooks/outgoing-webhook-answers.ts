import { inject } from 'tsyringe'

import { messageUrl, type LinkedMessage } from '../../../domain/message-url.js'
import { quoteBlock } from '../../../domain/quote-block.js'
import { ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { ConversationRepository } from '../../messages/objects/index.js'
import {
  draftOf,
  MessagePreparation,
  MessageSender,
  type MessageRequest,
  type PreparedMessage,
} from '../../messages/sending/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'
import type { WebhookAnswer } from './outgoing-webhook-formats.js'

const clientName = 'OutgoingWebhookResponse'
/** Maximum number of characters of a response shown to a bot's owner. */
const maxShownLength = 2000

/** Sends the replies of outgoing webhook bots, and reports failed calls to their owners. */
@perServer()
export class OutgoingWebhookAnswers {
  constructor(
    @inject(MessagePreparation) private readonly preparation: MessagePreparation,
    @inject(MessageSender) private readonly sender: MessageSender,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
  ) {}

  /**
   * Sends a bot's reply to the conversation of the message.
   *
   * @returns why that is not possible; undefined on success.
   */
  async reply(
    tx: Transaction,
    bot: UserRow,
    message: MessageRow,
    { content, widgetContent }: WebhookAnswer,
  ): Promise<string | undefined> {
    const place = await this.#placeOf(tx, message)
    const common = {
      content,
      clientName,
      ...(widgetContent === undefined ? {} : { widgetContent }),
    }
    if ('participantIds' in place) {
      return this.#send(tx, bot, { ...common, type: 'direct', to: ids(place.participantIds) })
    }
    const to = ids([place.channel.id])
    return this.#send(tx, bot, { ...common, type: 'channel', to, topic: message.topic })
  }

  /**
   * Sends a message about a failed call to the bot's owner.
   *
   * @param body the response body, if there was one.
   */
  async notifyOwner(
    tx: Transaction,
    bot: UserRow,
    message: MessageRow,
    problem: string,
    body = '',
  ): Promise<void> {
    if (bot.bot_owner_id === null) return
    const url = messageUrl({
      id: message.id,
      topic: message.topic,
      place: await this.#placeOf(tx, message),
    })
    const name = `@_**${bot.full_name}|${bot.id}**`
    const content = [
      `[A message](${url}) to your bot ${name} triggered an outgoing webhook.`,
      problem,
      ...(body === ''
        ? []
        : ['The response contains the following payload:', quoteBlock('', body, maxShownLength)]),
    ].join('\n')
    await this.#send(tx, bot, { type: 'direct', to: ids([bot.bot_owner_id]), content, clientName })
  }

  async #placeOf(tx: Transaction, message: MessageRow): Promise<LinkedMessage['place']> {
    if (message.channel_id === null) {
      const members = await this.conversations.members(tx, [message.recipient_id])
      return { participantIds: members.get(message.recipient_id) ?? [] }
    }
    const channel = await this.channels.find(tx, message.channel_id)
    return { channel: { id: message.channel_id, name: channel?.name ?? '' } }
  }

  /** @returns why the message may not be sent; undefined on success. */
  async #send(tx: Transaction, bot: UserRow, request: MessageRequest): Promise<string | undefined> {
    let prepared: PreparedMessage
    try {
      const draft = { ...draftOf(request), isAnswer: true }
      prepared = await this.preparation.prepare(tx, actorOf(bot), draft)
    } catch (error) {
      // Preparing has not written anything, so the transaction can continue.
      if (error instanceof ChatError) return error.message
      throw error
    }
    await this.sender.send(tx, [prepared])
    return undefined
  }
}

function ids(list: readonly number[]): string {
  return JSON.stringify(list)
}
