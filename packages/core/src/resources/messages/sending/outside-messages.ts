import { inject } from 'tsyringe'

import { normalizeContent } from '../../../domain/messages/message-content.js'
import type { Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  MarkdownRenderError,
  withSilentMentions,
  type ManyMention,
} from '../../../markdown/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import type { MessageRequest } from './message-draft.js'
import { MessageService } from './message-service.js'
import type { SentMessage } from './message-stages.js'

const kindsByReason: Readonly<Record<string, ManyMention>> = {
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 'channel',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 'topic',
  GROUP_MENTION_NOT_ALLOWED: 'group',
}
const everyKind: ReadonlySet<ManyMention> = new Set(Object.values(kindsByReason))

/**
 * Sends messages whose texts come from other programs and from mails. Their authors do not know the
 * permissions here, so mentions of many users never make such a message fail.
 */
@perServer()
export class OutsideMessages {
  constructor(
    @inject(MessageService) private readonly messages: MessageService,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /**
   * Sends a message of `actor`, in which mentions that `actor` may not use are silent.
   *
   * @throws {ChatError} the other errors of {@link MessageService.send}.
   */
  async send(actor: Actor, request: MessageRequest): Promise<SentMessage> {
    const refused = new Set<ManyMention>()
    let message = request
    for (;;) {
      try {
        return await this.messages.send(actor, message)
      } catch (error) {
        const kind = error instanceof ChatError ? kindsByReason[error.reason] : undefined
        if (kind === undefined) throw error
        // Names with unusual characters are not found, so all mentions become silent.
        const isUnusual = refused.has(kind)
        refused.add(kind)
        const content = isUnusual
          ? message.content.replaceAll('@*', '@_*')
          : await this.#silenced(actor, request.content, refused)
        if (content === message.content) throw error
        message = { ...request, content }
      }
    }
  }

  /** A message in which mentions of many users are silent. */
  async withoutManyMentions<Message extends { readonly content: string }>(
    actor: Actor,
    message: Message,
  ): Promise<Message> {
    if (!message.content.includes('@*')) return message
    return { ...message, content: await this.#silenced(actor, message.content, everyKind) }
  }

  async #silenced(
    { organizationId }: Actor,
    content: string,
    kinds: ReadonlySet<ManyMention>,
  ): Promise<string> {
    const { settings } = await this.organizations.require(organizationId)
    const language = { defaultCodeBlockLanguage: settings.default_code_block_language }
    const text = normalizeContent(content)
    try {
      return await withSilentMentions(text, kinds, language, new EventLoopYielder())
    } catch (error) {
      // Sending the content reports the problem.
      if (error instanceof MarkdownRenderError) return content
      throw error
    }
  }
}
