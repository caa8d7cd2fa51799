import { inject } from 'tsyringe'

import { messageUrl, type LinkedMessage } from '../../../domain/messages/message-url.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'
import { ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { ConversationRepository } from '../../messages/objects/index.js'
import {
  draftOf,
  MessagePreparation,
  type MessageRequest,
  type PreparedMessage,
} from '../../messages/sending/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'
import { OutgoingWebhookCalls } from './outgoing-webhook-calls.js'
import type { WebhookAnswer } from './outgoing-webhook-formats.js'

const clientName = 'OutgoingWebhookResponse'
/** Maximum number of characters of a response shown to a bot's owner. */
const maxShownLength = 2000

/** A message, or why it may not be sent. */
export type ReplyAttempt = { readonly message: PreparedMessage } | { readonly problem: string }

/** Prepares the replies of outgoing webhook bots, and reports of failed calls to their owners. */
@perServer()
export class OutgoingWebhookAnswers {
  constructor(
    @inject(MessagePreparation) private readonly preparation: MessagePreparation,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(OutgoingWebhookCalls) private readonly calls: OutgoingWebhookCalls,
  ) {}

  /** A bot's reply to the conversation of the message. */
  async reply(
    scope: OrganizationScope,
    bot: UserRow,
    message: MessageRow,
    { content, widgetContent }: WebhookAnswer,
  ): Promise<ReplyAttempt> {
    const place = await this.#placeOf(scope, message)
    const common = {
      content,
      clientName,
      ...(widgetContent === undefined ? {} : { widgetContent }),
    }
    if ('participantIds' in place) {
      return this.#prepare(scope, bot, { ...common, type: 'direct', to: ids(place.participantIds) })
    }
    const to = ids([place.channel.id])
    return this.#prepare(scope, bot, { ...common, type: 'channel', to, topic: message.topic })
  }

  /**
   * A message about a failed call to the bot's owner; undefined if the bot has no owner.
   *
   * @param body the response body, if there was one.
   */
  async ownerNotice(
    scope: OrganizationScope,
    bot: UserRow,
    message: MessageRow,
    problem: string,
    body = '',
  ): Promise<ReplyAttempt | undefined> {
    if (bot.bot_owner_id === null) return undefined
    // The link contains the names of the channel and the topic.
    const what = (await this.calls.mayOwnerRead(scope, bot, message))
      ? `[A message](${messageUrl({ ...message, place: await this.#placeOf(scope, message) })})`
      : 'A message'
    const name = `@_**${bot.full_name}|${bot.id}**`
    const content = [
      `${what} to your bot ${name} triggered an outgoing webhook.`,
      problem,
      ...(body === ''
        ? []
        : ['The response contains the following payload:', quoteBlock('', body, maxShownLength)]),
    ].join('\n')
    const to = ids([bot.bot_owner_id])
    return this.#prepare(scope, bot, { type: 'direct', to, content, clientName })
  }

  async #placeOf(scope: OrganizationScope, message: MessageRow): Promise<LinkedMessage['place']> {
    if (message.channel_id === null) {
      const members = await this.conversations.members(scope, [message.recipient_id])
      return { participantIds: members.get(message.recipient_id) ?? [] }
    }
    const channel = await this.channels.find(scope, message.channel_id)
    return { channel: { id: message.channel_id, name: channel?.name ?? '' } }
  }

  async #prepare(
    scope: OrganizationScope,
    bot: UserRow,
    request: MessageRequest,
  ): Promise<ReplyAttempt> {
    try {
      const draft = { ...draftOf(request), isAnswer: true }
      return { message: await this.preparation.prepare(scope, actorOf(bot), draft) }
    } catch (error) {
      if (error instanceof ChatError) return { problem: error.message }
      throw error
    }
  }
}

function ids(list: readonly number[]): string {
  return JSON.stringify(list)
}
