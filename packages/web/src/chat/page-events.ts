import { hashOf, placeKey, type Place } from '../place.js'
import type { Session } from '../session/session.js'
import type { ChatState } from './chat-state.js'

/** Tells the page around the chat what has changed in it; see docs/web.md. */
export class PageEvents {
  readonly #chat: EventTarget
  #unread: number | undefined
  #kind: ChatState['kind'] | undefined
  #place: string | undefined

  constructor(chat: EventTarget) {
    this.#chat = chat
  }

  /** @param place what is shown. */
  update(session: Session | undefined, shown: ChatState, place: Place | undefined): void {
    const { state } = session ?? {}
    const { kind } = shown
    if (kind !== this.#kind) {
      const code = 'code' in shown ? shown.code : undefined
      this.#kind = kind
      this.tell('parley-state', { kind, ...(code !== undefined && { code }) })
      if (kind === 'signedOut') this.tell('parley-signed-out', code)
    }
    if (state?.isRegistered !== true) return
    const { total } = state.unread
    if (total !== this.#unread) this.tell('parley-unread', total)
    this.#unread = total
    const key = place === undefined ? undefined : placeKey(place)
    if (place !== undefined && key !== this.#place) {
      this.tell('parley-place', { hash: hashOf({ place }), place })
    }
    this.#place = key
  }

  tell(type: string, detail?: unknown): void {
    this.#chat.dispatchEvent(new CustomEvent(type, { detail }))
  }
}
