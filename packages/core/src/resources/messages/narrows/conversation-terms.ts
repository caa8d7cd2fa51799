import { badNarrow } from './bad-narrow.js'
import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { NarrowTerm } from './narrow.js'
import { ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { MessageAccess, type MessageRow } from '../../channels/message-permissions/index.js'
import { ConversationRepository } from '../objects/index.js'

const placeOperators: ReadonlySet<string> = new Set(['channel', 'topic', 'dm'])

/** Resolves `with`, which stands for the current conversation of a message. */
@perServer()
export class ConversationTerms {
  constructor(
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
  ) {}

  /**
   * Replaces the conversation terms of a narrow with the conversation of the message that `with`
   * names. If that message is not found, `with` is removed if the other terms name a conversation.
   *
   * @throws {ChatError} `BAD_NARROW` if they do not, or `with` is invalid or used twice.
   */
  async replaceWith(
    scope: OrganizationScope,
    actor: Actor,
    narrow: readonly NarrowTerm[],
  ): Promise<readonly NarrowTerm[]> {
    const [term, second] = narrow.filter(({ operator }) => operator === 'with')
    if (term === undefined) return narrow
    if (second !== undefined) {
      const problem = namedText('NARROW_TWO_WITH')
      throw new ChatError('BAD_NARROW', {
        text: namedText('NARROW_COMBINATION_INVALID', { problem }),
        fields: { desc: problem.toString() },
      })
    }
    const rest = narrow.filter(({ operator }) => operator !== 'with')
    const messageId = Number(term.operand)
    if (!/^\d+$/.test(String(term.operand).trim())) throw invalidWith()
    const [visible] = await this.access.listVisible(scope, actor, [messageId])
    if (visible !== undefined) {
      const place = await this.#placeOf(scope, visible.message)
      return [...place, ...rest.filter(({ operator }) => !placeOperators.has(operator))]
    }
    const named = new Set(
      rest.filter(({ isNegated }) => !isNegated).map(({ operator }) => operator),
    )
    if (named.has('dm') || (named.has('channel') && named.has('topic'))) return rest
    throw invalidWith()
  }

  async #placeOf(scope: OrganizationScope, message: MessageRow): Promise<NarrowTerm[]> {
    if (message.channel_id !== null) {
      return [
        { operator: 'channel', operand: message.channel_id, isNegated: false },
        { operator: 'topic', operand: message.topic, isNegated: false },
      ]
    }
    const members = await this.conversations.members(scope, [message.recipient_id])
    return [{ operator: 'dm', operand: members.get(message.recipient_id) ?? [], isNegated: false }]
  }
}

function invalidWith(): ChatError {
  return badNarrow(namedText('NARROW_WITH_INVALID'))
}
