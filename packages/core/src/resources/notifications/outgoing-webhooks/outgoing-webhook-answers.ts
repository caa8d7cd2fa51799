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
  MessageService,
  prepareMessage,
  type MessageDraft,
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
    @inject(MessageService) private readonly messages: MessageService,
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
    const draft = { content, clientName, ...(widgetContent === undefined ? {} : { widgetContent }) }
    if ('participantIds' in place) {
      return this.#send(tx, bot, { ...draft, type: 'direct', to: ids(place.participantIds) })
    }
    const to = ids([place.channel.id])
    return this.#send(tx, bot, { ...draft, type: 'channel', to, topic: message.topic })
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

  /**
   * Checks permissions before sending, because an error in the middle of a send would roll back the
   * transaction.
   */
  async #send(tx: Transaction, bot: UserRow, draft: MessageDraft): Promise<string | undefined> {
    const actor = actorOf(bot)
    let prepared: PreparedMessage
    try {
      prepared = { ...prepareMessage(draft), isAnswer: true }
      await this.messages.check(tx, actor, prepared)
    } catch (error) {
      if (error instanceof ChatError) return error.message
      throw error
    }
    await this.messages.sendIn(tx, actor, prepared)
    return undefined
  }
}

function ids(list: readonly number[]): string {
  return JSON.stringify(list)
}
