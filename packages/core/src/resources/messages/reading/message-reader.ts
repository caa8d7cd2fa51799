import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { MessageAccess, type VisibleMessage } from '../../channels/message-permissions/index.js'
import { MessageView, type MessageObject, type MessageFormat } from '../objects/index.js'

/** Reads single messages. */
@perServer()
export class MessageReader {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(MessageView) private readonly view: MessageView,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such message, or `actor` may not see it;
   *   `UNAUTHORIZED` for a spectator.
   */
  async get(
    actor: Actor,
    messageId: number,
    format: MessageFormat,
  ): Promise<{ message: MessageObject; rawContent: string }> {
    const scope = this.database.read(actor.organizationId)
    const visible = await this.#requireVisible(scope, actor, messageId)
    const [message] = await this.view.objects(scope, actor, [visible], format)
    return {
      message: present(message, 'the object of the message'),
      rawContent: visible.message.content,
    }
  }

  async #requireVisible(
    scope: OrganizationScope,
    actor: Actor,
    messageId: number,
  ): Promise<VisibleMessage> {
    if (!isSpectator(actor)) return this.access.requireVisible(scope, actor, messageId)
    try {
      const visible = await this.access.requireVisible(scope, actor, messageId)
      return { ...visible, flags: MessageFlag.read }
    } catch (error) {
      // Users with an account may have access.
      throw error instanceof ChatError ? new ChatError('UNAUTHORIZED') : error
    }
  }
}
