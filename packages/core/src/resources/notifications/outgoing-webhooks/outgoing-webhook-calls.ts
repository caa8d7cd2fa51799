import { inject } from 'tsyringe'

import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { BotType } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { BotRepository, ServiceTokens } from '../../accounts/bots/index.js'
import { MessageAccess, type MessageRow } from '../../channels/message-permissions/index.js'
import { MessageRepository, MessageView } from '../../messages/objects/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf, apiEmail, UserRepository, type UserRow } from '../../people/users/index.js'
import { formatOf, type WebhookFormat } from './outgoing-webhook-formats.js'
import type { OutgoingWebhookCallRow } from './outgoing-webhook-calls-table.js'
import type { WebhookRequest } from './webhook-client.js'

/** The bot and the message of a call. */
export interface CallSubject {
  readonly bot: UserRow
  readonly message: MessageRow
}

/** A call with everything needed to make it. */
export interface OutgoingWebhookCall extends CallSubject {
  readonly format: WebhookFormat
  readonly request: WebhookRequest
}

/** A call that cannot be made. */
export interface ImpossibleCall extends CallSubject {
  readonly problem: string
}

/** Builds the requests to outgoing webhook bots. */
@perServer()
export class OutgoingWebhookCalls {
  constructor(
    @inject(MessageRepository) private readonly messages: MessageRepository,
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(MessageView) private readonly view: MessageView,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * The bot and the message, as they are now.
   *
   * @returns undefined if there is nothing to call or to reply to any more: the bot was deactivated,
   *   the message was deleted, or it was changed and neither the bot nor its owner may read it.
   */
  async findSubject(
    scope: OrganizationScope,
    { bot_id, message_id }: OutgoingWebhookCallRow,
  ): Promise<CallSubject | undefined> {
    const organization = await this.organizations.require(scope.organizationId)
    const bot = await this.users.find(scope, bot_id)
    const message = await this.messages.find(scope, message_id)
    if (organization.isDeactivated || message === undefined) return undefined
    if (bot?.bot_type !== BotType.outgoingWebhook || !bot.is_active) return undefined
    return (await this.#mayReceive(scope, bot, message)) ? { bot, message } : undefined
  }

  /** A user who mentions a bot gives it that message, but not what the message becomes later. */
  async #mayReceive(scope: OrganizationScope, bot: UserRow, message: MessageRow): Promise<boolean> {
    if (message.edit_history === null || message.channel_id === null) return true
    return (await this.#mayRead(scope, bot, message)) || this.mayOwnerRead(scope, bot, message)
  }

  /** Whether the owner of a bot may read a message. */
  async mayOwnerRead(
    scope: OrganizationScope,
    { bot_owner_id }: UserRow,
    message: MessageRow,
  ): Promise<boolean> {
    const owner = bot_owner_id === null ? undefined : await this.users.find(scope, bot_owner_id)
    return owner?.is_active === true && this.#mayRead(scope, owner, message)
  }

  async #mayRead(scope: OrganizationScope, user: UserRow, { id }: MessageRow): Promise<boolean> {
    return (await this.access.listVisible(scope, actorOf(user), [id])).length > 0
  }

  /** @returns undefined if there is nothing to call any more, or the bot has no URL. */
  async find(
    scope: OrganizationScope,
    row: OutgoingWebhookCallRow,
  ): Promise<OutgoingWebhookCall | ImpossibleCall | undefined> {
    const subject = await this.findSubject(scope, row)
    if (subject === undefined) return undefined
    const { bot, message } = subject
    const organization = await this.organizations.require(scope.organizationId)
    const [details] = await this.bots.listDetails(scope, [bot.id])
    const { service_base_url: url, service_token_sealed: sealed, service_interface } = details ?? {}
    if (url == null || sealed == null || service_interface == null) return undefined
    const format = formatOf(service_interface)
    const look = { applyMarkdown: false, clientGravatar: false, allowsEmptyTopics: true }
    const found = { message, flags: 0 }
    const [object] = await this.view.objects(scope, actorOf(bot), [found], look)
    if (object === undefined) return undefined
    const problem = format.problem(object)
    if (problem !== undefined) return { bot, message, problem }
    // Flags belong to one user's history.
    const { flags: _, ...shown } = object
    const request = format.request(url, {
      message: { ...shown, rendered_content: message.rendered_content },
      bot: { id: bot.id, email: apiEmail(bot, this.facts), fullName: bot.full_name },
      token: this.serviceTokens.reveal(sealed),
      organization: { id: organization.id, host: this.#hostOf(organization) },
    })
    return { bot, message, format, request }
  }

  #hostOf({ subdomain }: OrganizationState): string {
    const { url } = this.facts.address
    return url === undefined ? subdomain : new URL(url).host
  }
}
