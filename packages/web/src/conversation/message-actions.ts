import type { Message } from '@parley/client'

import type { Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { reasonOf } from '../view/reason.js'
import { tell } from '../view/part-events.js'

export interface ActionView extends HTMLElement {
  readonly session: Session | undefined
  readonly messages: readonly Message[]
  readonly place: Place | undefined
  editingId: number | undefined
  /** Messages of muted users that are shown nevertheless. */
  readonly revealed: Set<number>
  requestUpdate(): void
  focusRow(id: number): void
  /** Nothing is marked as read because it is visible, until another place is shown. */
  keepUnread(): void
}

/** The actions of the buttons of messages. Most are loaded when they are first used. */
export class MessageActions {
  readonly #view: ActionView

  constructor(view: ActionView) {
    this.#view = view
    view.addEventListener('parley-edited', ({ detail }) => {
      view.editingId = undefined
      view.focusRow(detail)
    })
  }

  click(event: MouseEvent): void {
    const { target } = event
    if (!(target instanceof Element)) return
    const spoiler = target.closest('.spoiler-header')
    if (spoiler !== null) this.#toggleSpoiler(spoiler)
    const button = target.closest<HTMLElement>('[data-action]')
    const id = Number(target.closest<HTMLElement>('.message')?.dataset['id'])
    const message = this.#view.messages.find((each) => each.id === id)
    const { session } = this.#view
    if (button === null || message === undefined || session === undefined) return
    if (button.matches('a')) {
      // It leads to the picture, also in another tab.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
    }
    void this.#run(button, message, session)
  }

  async #run(button: HTMLElement, message: Message, session: Session): Promise<void> {
    try {
      const { actOnMessage } = await import('../on-demand.js')
      await actOnMessage(this.#view, button, message, session)
    } catch (error) {
      tell(this.#view, 'parley-problem', texts.failed(reasonOf(error)))
    }
  }

  #toggleSpoiler(header: Element): void {
    const content = header.parentElement?.querySelector('.spoiler-content')
    const isOpen = content?.classList.toggle('open')
    content?.setAttribute('aria-hidden', String(isOpen !== true))
    header.setAttribute('aria-expanded', String(isOpen === true))
  }
}
