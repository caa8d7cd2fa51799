import { inject } from 'tsyringe'

import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { BotType } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { BotRepository, ServiceTokens } from '../../accounts/bots/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import { MessageView } from '../../messages/objects/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf, apiEmail, UserRepository, type UserRow } from '../../people/users/index.js'
import { formatOf, type WebhookFormat } from './outgoing-webhook-formats.js'
import { OutgoingWebhookRepository } from './outgoing-webhook-repository.js'
import type { WebhookRequest } from './webhook-client.js'

/** A call with everything needed to make it. */
export interface OutgoingWebhookCall {
  readonly bot: UserRow
  readonly message: MessageRow
  readonly format: WebhookFormat
  readonly request: WebhookRequest
}

/** A call that cannot be made. */
export interface ImpossibleCall extends Pick<OutgoingWebhookCall, 'bot' | 'message'> {
  readonly problem: string
}

/** Builds the requests to outgoing webhook bots. */
@perServer()
export class OutgoingWebhookCalls {
  constructor(
    @inject(OutgoingWebhookRepository) private readonly stored: OutgoingWebhookRepository,
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(MessageView) private readonly view: MessageView,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @returns undefined if the bot or the message was deleted, or the bot has no URL. */
  async find(
    scope: OrganizationScope,
    botId: number,
    messageId: number,
  ): Promise<OutgoingWebhookCall | ImpossibleCall | undefined> {
    const organization = await this.organizations.require(scope.organizationId)
    const bot = await this.users.find(scope, botId)
    const message = await this.stored.findMessage(scope, messageId)
    const [details] = await this.bots.listDetails(scope, [botId])
    if (organization.isDeactivated || message === undefined) return undefined
    if (bot?.bot_type !== BotType.outgoingWebhook || !bot.is_active) return undefined
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
