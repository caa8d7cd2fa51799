import type { Message } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { emojiMark } from '../view/emoji-mark.js'

type Reaction = Message['reactions'][number]

interface Sum {
  readonly reaction: Reaction
  readonly userIds: number[]
}

/** Names of more users are only counted. */
const maxNames = 20

/** The reactions to a message as buttons that add or remove one's own. */
export function reactionsOf(
  message: Message,
  session: Session,
  isActive: boolean,
): TemplateResult | typeof nothing {
  if (message.reactions.length === 0) return nothing
  const sums = new Map<string, Sum>()
  for (const reaction of message.reactions) {
    const key = `${reaction.reaction_type} ${reaction.emoji_code}`
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { reaction, userIds: [reaction.user_id] })
    else sum.userIds.push(reaction.user_id)
  }
  return html`<div class="reactions">
    ${[...sums.values()].map((sum) => button(sum, session, isActive))}
  </div>`
}

function button({ reaction, userIds }: Sum, session: Session, isActive: boolean): TemplateResult {
  const { emoji_name: name, emoji_code: code, reaction_type: type } = reaction
  const isOwn = userIds.includes(session.state.me.user_id)
  const names = userIds.slice(0, maxNames).map((id) => session.nameOf(id) || texts.you)
  return html`<button
    class="reaction"
    part="reaction"
    aria-pressed=${isOwn}
    aria-label=${texts.reaction(name.replaceAll('_', ' '), userIds.length, isOwn)}
    title=${`${names.join(', ')}: ${name.replaceAll('_', ' ')}`}
    data-action="toggle"
    data-name=${name}
    data-code=${code}
    data-type=${type}
    tabindex=${isActive ? 0 : -1}
    ?disabled=${session.isVisitor}
  >
    ${emojiMark(type, code, session)} <span>${userIds.length}</span>
  </button>`
}
