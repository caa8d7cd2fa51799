import type { Message } from '@parley/client'

import { addToDraft } from '../composer/drafts.js'
import { dialogTexts } from '../dialog-texts.js'
import { hashOf, placeKey } from '../place.js'
import type { Session } from '../session/session.js'
import type { ActionView } from './message-actions.js'
import { tell } from '../view/part-events.js'

/** Puts the text of a message, as a quote, into the user's draft for its conversation. */
export async function quote(view: ActionView, message: Message, session: Session): Promise<void> {
  const answer = await session.client.api.getMessage({
    message_id: message.id,
    apply_markdown: false,
  })
  const place = session.placeOf(message)
  const text = quoteOf(message, answer.message.content, session)
  if (view.place !== undefined && placeKey(view.place) === placeKey(place)) {
    tell(view, 'parley-restore', text)
    return
  }
  addToDraft(session, place, text)
  tell(view, 'parley-go', { place })
}

function quoteOf(message: Message, content: string, session: Session): string {
  const name = session.nameOf(message.sender_id) || message.sender_full_name
  const place = session.placeOf(message)
  const { href } = new URL(hashOf({ place, near: message.id }), document.location.href)
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const mention = `@_**${name}|${message.sender_id}**`
  return `${mention} ${dialogTexts.said(href)}\n${fence}quote\n${content}\n${fence}\n`
}
