import { html, type TemplateResult } from 'lit'

import type { Session } from '../session/session.js'
import { emojiMark } from '../view/emoji-mark.js'
import { profileTexts } from './profile-texts.js'

export interface StatusEmoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

/** The emoji of a status, with its name. */
export function statusEmoji(emoji: StatusEmoji, session: Session): TemplateResult {
  const { emoji_name, emoji_code, reaction_type } = emoji
  return html`<span role="img" aria-label=${profileTexts.emoji(emoji_name.replaceAll('_', ' '))}
    >${emojiMark(reaction_type, emoji_code, session)}</span
  >`
}
