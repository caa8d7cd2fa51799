import type { Message } from '@parley/client'

import { hashOf, type Place } from '../place.js'
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

/** What the buttons of messages do. */
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
      await this.#act(button, message, session)
    } catch (error) {
      tell(this.#view, 'parley-problem', texts.failed(reasonOf(error)))
    }
  }

  async #act(button: HTMLElement, message: Message, session: Session): Promise<void> {
    switch (button.dataset['action']) {
      case 'toggle':
        await this.#toggle(button, message, session)
        return
      case 'reveal':
        this.#view.revealed.add(message.id)
        this.#view.requestUpdate()
        this.#view.focusRow(message.id)
        return
      case 'react': {
        const { pickEmoji } = await import('../on-demand.js')
        const emoji = await pickEmoji(button, session)
        this.#return(button, message)
        if (emoji === undefined) return
        await session.client.api.addReaction({ message_id: message.id, ...emoji })
        return
      }
      case 'user': {
        const { showUser } = await import('../on-demand.js')
        await showUser(button, session, message.sender_id)
        return
      }
      case 'picture': {
        const { showPictures } = await import('../on-demand.js')
        await showPictures(button, message.id, this.#view.messages, session)
        return
      }
      case 'edit':
        await import('../on-demand.js')
        this.#view.editingId = message.id
        return
      case 'copy': {
        const link = hashOf({ place: session.placeOf(message), near: message.id })
        const { copyText } = await import('../on-demand.js')
        await copyText(button, new URL(link, document.location.href).href)
        return
      }
      case 'remove': {
        const { ask } = await import('../on-demand.js')
        const isSure = await ask(button, texts.removeQuestion, texts.remove)
        if (!isSure) {
          this.#return(button, message)
          return
        }
        this.#focusNeighbour(message.id)
        await session.client.api.deleteMessage({ message_id: message.id })
        return
      }
      case 'history':
      case 'more': {
        let hasLeft = false
        try {
          const { actInMenu, showHistory } = await import('../on-demand.js')
          if (button.dataset['action'] === 'history') {
            await showHistory(this.#view, message, session)
          } else hasLeft = await actInMenu(this.#view, button, message, session)
        } finally {
          if (!hasLeft) this.#return(button, message)
        }
      }
      // No default
    }
  }

  /** What has opened a dialog may be gone: the buttons of a message are there while it is active. */
  #return(button: HTMLElement, { id }: Message): void {
    if (!button.isConnected) this.#view.focusRow(id)
  }

  async #toggle({ dataset }: HTMLElement, message: Message, session: Session): Promise<void> {
    const { name = '', code = '', type = '' } = dataset
    const reaction = {
      message_id: message.id,
      emoji_name: name,
      emoji_code: code,
      reaction_type: type,
    }
    const isOwn = message.reactions.some(
      ({ user_id, emoji_code, reaction_type }) =>
        user_id === session.state.me.user_id && emoji_code === code && reaction_type === type,
    )
    if (isOwn) await session.client.api.removeReaction(reaction)
    else await session.client.api.addReaction(reaction)
  }

  /** A message that is deleted does not take the focus with it. */
  #focusNeighbour(id: number): void {
    const { messages } = this.#view
    const index = messages.findIndex((message) => message.id === id)
    const neighbour = messages[index + 1] ?? messages[index - 1]
    if (neighbour !== undefined) this.#view.focusRow(neighbour.id)
  }

  #toggleSpoiler(header: Element): void {
    const content = header.parentElement?.querySelector('.spoiler-content')
    const isOpen = content?.classList.toggle('open')
    content?.setAttribute('aria-hidden', String(isOpen !== true))
    header.setAttribute('aria-expanded', String(isOpen === true))
  }
}
