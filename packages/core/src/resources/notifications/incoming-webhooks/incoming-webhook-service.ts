import { inject } from 'tsyringe'

import { BotType, type Actor } from '../../../domain/actor.js'
import { ChatError, namedText } from '../../../errors/index.js'
import { OperationHooks } from '../../../events/operation-hooks.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { MessageService, type MessageRequest } from '../../messages/sending/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
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
    @inject(MessageService) private readonly messages: MessageService,
    @inject(OperationHooks) private readonly hooks: OperationHooks,
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /**
   * @returns the id of the message.
   * @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` for callers other than incoming webhook bots,
   *   `REQUEST_VARIABLE_MISSING` if there is neither a channel nor an owner, or an error of
   *   {@link MessageService.send}.
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
    const message = await this.#replaceTexts(actor, {
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

  /** The application's hooks of content get the texts of the message, not those of the payload. */
  async #replaceTexts(actor: Actor, message: MessageRequest): Promise<MessageRequest> {
    if (!this.hooks.hasContentHooks) return message
    const organization = await this.organizations.require(actor.organizationId)
    const caller = {
      ...(await this.hooks.callerOf(actor, organization, undefined)),
      operation: undefined,
    }
    const { content, topic } = message
    const replaced = {
      ...message,
      content: await this.hooks.replaceText({ ...caller, kind: 'message.content', text: content }),
    }
    if (topic === undefined) return replaced
    const asTopic = { ...caller, kind: 'message.topic', text: topic } as const
    return { ...replaced, topic: await this.hooks.replaceText(asTopic) }
  }
}

function channelTarget(channel: string): Pick<MessageRequest, 'type' | 'to'> {
  const isId = /^\d{1,15}$/.test(channel)
  return { type: 'channel', to: JSON.stringify([isId ? Number(channel) : channel]) }
}
