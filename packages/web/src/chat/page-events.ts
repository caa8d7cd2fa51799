import { hashOf, placeKey, type Place } from '../place.js'
import type { Session } from '../session/session.js'

/** Tells the page around the chat what has changed in it; see docs/web.md. */
export class PageEvents {
  readonly #chat: EventTarget
  #unread: number | undefined
  #connection: string | undefined
  #place: string | undefined

  constructor(chat: EventTarget) {
    this.#chat = chat
  }

  /** @param place what is shown. */
  update(session: Session | undefined, place: Place | undefined): void {
    const { state } = session ?? {}
    const { connection } = state ?? {}
    const kind = connection?.kind
    if (connection?.kind === 'signedOut' && this.#connection !== kind) {
      this.tell('parley-signed-out', connection.code)
    }
    this.#connection = kind
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
