import { html, type TemplateResult } from 'lit'

import { emojiPicture } from '../emoji/emoji-list.js'
import type { Session } from '../session/session.js'
import { profileTexts } from './profile-texts.js'

export interface StatusEmoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

/** The emoji of a status, with its name. */
export function statusEmoji(emoji: StatusEmoji, session: Session): TemplateResult {
  const { emoji_name, emoji_code } = emoji
  const reaction_type = emoji.reaction_type === 'unicode_emoji' ? 'unicode_emoji' : 'realm_emoji'
  const picture = emojiPicture({ emoji_name, emoji_code, reaction_type }, session)
  const label = profileTexts.emoji(emoji_name.replaceAll('_', ' '))
  return 'address' in picture
    ? html`<img class="emoji" src=${picture.address} alt=${label} />`
    : html`<span role="img" aria-label=${label}>${picture.characters}</span>`
}
