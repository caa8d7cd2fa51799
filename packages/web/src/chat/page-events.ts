import type { UserAction } from '../foot/foot.js'
import { hashOf, placeKey, type Place, type Target } from '../place.js'
import type { Session } from '../session/session.js'
import type { ChatState } from './chat-state.js'
import type { ChosenMessageAction } from './message-action.js'

interface Opened extends Target {
  readonly hash: string
}

/** The details of the events that the page around a chat gets. */
interface PageDetails {
  'parley-action': ChosenMessageAction
  'parley-login-request': undefined
  'parley-open': Opened
  'parley-place': Opened
  'parley-signed-out': string | undefined
  'parley-state': { readonly kind: ChatState['kind']; readonly code?: string }
  'parley-unread': number
  'parley-user-menu': UserAction[]
}

type PageEvent = { [Name in keyof PageDetails]: CustomEvent<PageDetails[Name]> }

declare global {
  interface HTMLElementEventMap extends PageEvent {}
}

/** Tells the page around the chat of changes in it; see docs/web.md. */
export class PageEvents {
  readonly #chat: EventTarget
  #unread: number | undefined
  #kind: ChatState['kind'] | undefined
  #place: string | undefined

  constructor(chat: EventTarget) {
    this.#chat = chat
  }

  /** @param place the place that is shown. */
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

  tell<Name extends keyof PageDetails>(type: Name, detail: PageDetails[Name]): void {
    this.#chat.dispatchEvent(new CustomEvent(type, { detail }))
  }
}
