import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { OperationHooks } from '../../../events/application/operation-hooks.js'
import { perServer } from '../../../kernel/per-server.js'
import { OrganizationService } from '../../organization/organizations/index.js'

interface MessageTexts {
  readonly content: string
  readonly topic?: string | undefined
}

/** Calls the application's hooks of content for messages that are not parameters of an operation. */
@perServer()
export class MessageHooks {
  constructor(
    @inject(OperationHooks) private readonly hooks: OperationHooks,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /**
   * @returns the message with the texts that the hooks have returned.
   * @throws the error of a hook, such as the {@link ChatError} that refuses the message.
   */
  async replaceTexts<Message extends MessageTexts>(
    actor: Actor,
    message: Message,
  ): Promise<Message> {
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
