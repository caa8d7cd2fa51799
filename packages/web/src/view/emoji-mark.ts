import { html, nothing, type TemplateResult } from 'lit'

import { emojiOf } from '../html/allowed-html.js'
import type { Session } from '../session/session.js'

/** The picture of an emoji, without a name. */
export function emojiMark(type: string, code: string, session: Session): unknown {
  const custom = type === 'realm_emoji' ? session.state.emoji.get(code) : undefined
  if (custom !== undefined) {
    return html`<img src=${session.address(custom.source_url)} alt="" width="16" height="16" />`
  }
  return type === 'unicode_emoji' ? html`<span class="glyph">${emojiOf(code)}</span>` : '❓'
}

/** The emoji of a user's status, with its text as the name. */
export function statusMark(session: Session, userId: number): TemplateResult | typeof nothing {
  const { emoji_name, emoji_code, reaction_type, status_text } =
    session.state.statuses.get(userId) ?? {}
  if (!emoji_name) return nothing
  const text = status_text ?? emoji_name.replaceAll('_', ' ')
  return html`<span class="status" role="img" aria-label=${text} title=${text}
    >${emojiMark(reaction_type ?? '', emoji_code ?? '', session)}</span
  >`
}
