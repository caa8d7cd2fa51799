import { inject } from 'tsyringe'

import { cutContent } from '../../../domain/messages/message-content.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { MessageRenderer } from './message-renderer.js'

/** Renders previews of messages. */
@perServer()
export class MessagePreview {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
  ) {}

  /**
   * Renders the content as a message of `actor`. Content that is too long is truncated.
   *
   * @throws {ChatError} `BAD_REQUEST` if the content contains NUL or exceeds the renderer's limits.
   */
  async render(actor: Actor, content: string): Promise<string> {
    const scope = this.database.read(actor.organizationId)
    return (await this.renderer.render(scope, actor, cutContent(content))).html
  }
}
