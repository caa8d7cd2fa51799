import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { EmojiLookup } from '../../content/emoji/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import type { MessageDecoration, MessageParts } from '../objects/index.js'
import { reactions } from './reactions-table.js'

/** The `reactions` of message objects. */
@perServer()
export class ReactionDecoration implements MessageDecoration {
  constructor(@inject(EmojiLookup) private readonly emoji: EmojiLookup) {}

  async partsOf(
    scope: OrganizationScope,
    messages: readonly MessageRow[],
  ): Promise<ReadonlyMap<number, Pick<MessageParts, 'reactions'>>> {
    const parts = new Map<number, { reactions: MessageParts['reactions'] }>()
    const rows = await scope
      .rows(reactions)
      .list({ message_id: messages.map(({ id }) => id) }, 'id')
    for (const { message_id, user_id, emoji_name, emoji_code, reaction_type } of rows) {
      const part = parts.get(message_id) ?? { reactions: [] }
      parts.set(message_id, part)
      part.reactions.push({
        emoji_name,
        emoji_code,
        reaction_type: this.emoji.wireType(reaction_type),
        user_id,
      })
    }
    return parts
  }
}
