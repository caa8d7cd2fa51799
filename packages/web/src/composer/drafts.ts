import { placeKey, type Place } from '../place.js'
import type { Session } from '../session/session.js'

/** Texts that are not sent yet survive a reload, in this browser. */
const maxCharacters = 20_000

function keyOf(session: Session, place: Place): string {
  return `parley-draft ${session.url} ${session.state.me.user_id} ${placeKey(place)}`
}

export function loadDraft(session: Session, place: Place): string {
  try {
    return localStorage.getItem(keyOf(session, place)) ?? ''
  } catch {
    // The browser keeps nothing for this page.
    return ''
  }
}

export function saveDraft(session: Session, place: Place, text: string): void {
  try {
    const key = keyOf(session, place)
    if (text.trim() === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text.slice(0, maxCharacters))
  } catch {
    // The browser keeps nothing for this page, or has no place left.
  }
}
