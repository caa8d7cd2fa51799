import { inject } from 'tsyringe'

import { BotType, type Actor } from '../../../domain/users/actor.js'
import { ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { MessageHooks, OutsideMessages, type MessageRequest } from '../../messages/sending/index.js'
import { UserRepository } from '../../people/users/index.js'
import type { WebhookText } from './slack-message.js'

/** Where a webhook sends its messages, as its URL names it. */
export interface WebhookTarget {
  /** Name or id of a channel; undefined for a direct message to the bot's owner. */
  readonly channel: string | undefined
  readonly topic: string | undefined
}

/** The topic of messages without one; organizations decide whether it is allowed. */
const noTopic = '(no topic)'

/** Sends the messages of incoming webhook bots. */
@perServer()
export class IncomingWebhookService {
  constructor(
    @inject(OutsideMessages) private readonly messages: OutsideMessages,
    @inject(MessageHooks) private readonly hooks: MessageHooks,
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
  ) {}

  /**
   * @returns the id of the message.
   * @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` for callers other than incoming webhook bots,
   *   `REQUEST_VARIABLE_MISSING` if there is neither a channel nor an owner, or an error of
   *   {@link OutsideMessages.send}.
   */
  async send(
    actor: Actor,
    { channel, topic }: WebhookTarget,
    text: WebhookText,
    clientName: string,
  ): Promise<number> {
    if (actor.botType !== BotType.incomingWebhook) {
      throw new ChatError('UNAUTHORIZED_PRINCIPAL', {
        text: namedText('INCOMING_WEBHOOK_BOT_REQUIRED'),
      })
    }
    const target =
      channel === undefined
        ? await this.#owner(actor)
        : { ...channelTarget(channel), topic: topic ?? text.topic ?? noTopic }
    // The hooks get the texts of the message, not those of the payload.
    const message = await this.hooks.replaceTexts<MessageRequest>(actor, {
      ...target,
      content: text.content,
      clientName,
    })
    const { id } = await this.messages.send(actor, message)
    return id
  }

  async #owner(actor: Actor): Promise<Pick<MessageRequest, 'type' | 'to'>> {
    const bot = await this.users.find(this.database.read(actor.organizationId), actor.userId)
    const ownerId = bot?.bot_owner_id ?? undefined
    if (ownerId === undefined) {
      throw new ChatError('REQUEST_VARIABLE_MISSING', { fields: { var_name: 'stream' } })
    }
    return { type: 'direct', to: JSON.stringify([ownerId]) }
  }
}

function channelTarget(channel: string): Pick<MessageRequest, 'type' | 'to'> {
  const isId = /^\d{1,15}$/.test(channel)
  return { type: 'channel', to: JSON.stringify([isId ? Number(channel) : channel]) }
}
