import type { Message } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import { texts } from '../texts.js'
import { icon } from '../view/icons.js'
import { menuIcon } from '../view/menu-icons.js'
import { define, View } from '../view/view.js'
import { mayDelete, mayEdit } from './message-rights.js'

/** The usual actions for a message. The conversation handles the clicks: each button says what it does. */
class Toolbar extends View {
  static override properties = { ...View.properties, message: { attribute: false } }
  declare message: Message

  constructor() {
    super()
    const parts = ['me', 'organization', 'groups', 'channels'] as const
    for (const part of parts) followState(this, (state) => state[part])
  }

  get #buttons(): HTMLElement[] {
    return [...this.querySelectorAll('button')]
  }

  override focus(): void {
    this.#buttons[0]?.focus()
  }

  /** One of the buttons is reached from the message, the others by arrows. */
  readonly #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const buttons = this.#buttons
    const index = buttons.findIndex((button) => button === event.target)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      buttons.at((index + step) % buttons.length)?.focus()
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { message, session } = this
    if (session === undefined) return nothing
    const { state, isVisitor } = session
    return html`<div
      class="toolbar"
      role="toolbar"
      aria-label=${texts.actions}
      @keydown=${this.#press}
    >
      ${isVisitor ? nothing : action('react', texts.react, menuIcon('smilePlus'))}
      ${!isVisitor && mayEdit(message, state) ? action('edit', texts.edit, menuIcon('pencil')) : nothing}
      ${action('copy', texts.copyLink, menuIcon('copy'))}
      ${
        !isVisitor && mayDelete(message, state)
          ? action('remove', texts.remove, menuIcon('trash2'))
          : nothing
      }
      ${isVisitor ? nothing : action('more', texts.more, icon('ellipsis'))}
    </div>`
  }
}

function action(name: string, title: string, picture: unknown): TemplateResult {
  return html`<button class="quiet" data-action=${name} title=${title} aria-label=${title}>
    ${picture}
  </button>`
}

define('parley-toolbar', Toolbar)
