import { inject } from 'tsyringe'

import { ChatError } from '../../../errors/index.js'
import { OperationHooks } from '../../../events/application/operation-hooks.js'
import { perServer } from '../../../kernel/per-server.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { actorOf } from '../../people/users/index.js'
import type { OutgoingWebhookCall } from './outgoing-webhook-calls.js'
import { readAnswer, type ReadAnswer, type WebhookAnswer } from './outgoing-webhook-formats.js'

/** Reads the replies of bots, with the application's hooks of content. */
@perServer()
export class OutgoingWebhookReplies {
  constructor(
    @inject(OperationHooks) private readonly hooks: OperationHooks,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /** Not in a transaction, because the hooks are the application's. */
  async read(call: OutgoingWebhookCall, body: string): Promise<ReadAnswer> {
    const read = readAnswer(call.format, body)
    if (read.problem !== undefined || read.answer === undefined || !this.hooks.hasContentHooks)
      return read
    try {
      return { answer: await this.#replaceTexts(call, read.answer) }
    } catch (error) {
      if (error instanceof ChatError) return { problem: error.message }
      throw error
    }
  }

  async #replaceTexts(
    { bot }: OutgoingWebhookCall,
    { content, widgetContent }: WebhookAnswer,
  ): Promise<WebhookAnswer> {
    const organization = await this.organizations.require(bot.organization_id)
    const caller = {
      ...(await this.hooks.callerOf(actorOf(bot), organization, undefined)),
      operation: undefined,
    }
    const replaced = {
      content: await this.hooks.replaceText({ ...caller, kind: 'message.content', text: content }),
    }
    if (widgetContent === undefined) return replaced
    const widget = { ...caller, kind: 'message.widget', text: widgetContent } as const
    return { ...replaced, widgetContent: await this.hooks.replaceText(widget) }
  }
}
