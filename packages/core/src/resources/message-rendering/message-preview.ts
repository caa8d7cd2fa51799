import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { cutContent } from '../../domain/message-content.js'
import { perServer } from '../../kernel/per-server.js'
import { Database } from '../../storage/index.js'
import { MessageRenderer } from './message-renderer.js'

/** Renders texts that are no messages yet. */
@perServer()
export class MessagePreview {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
  ) {}

  /**
   * What a message of `actor`'s with this text would look like: one that is too long is cut.
   *
   * @throws {ChatError} `BAD_REQUEST` if the text contains a NUL, or is too much to render.
   */
  async render(actor: Actor, content: string): Promise<string> {
    const scope = this.database.read(actor.organizationId)
    return (await this.renderer.render(scope, actor, cutContent(content))).html
  }
}
