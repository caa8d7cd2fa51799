import type { Message } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import '../on-demand.js'
import { dialogTexts } from '../dialog-texts.js'
import { htmlContent } from '../html/html-content.js'
import { followState } from '../session/follow-state.js'
import { texts } from '../texts.js'
import { menuIcon } from '../view/menu-icons.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { choicesOf, type Choice, type Choices } from './choices.js'
import { added, renamed, toggled, widgetOf, type Widget, type WidgetItem } from './widget-state.js'

/** Names of more voters are only counted. */
const maxNames = 20

/** A poll, a list of tasks, or replies to choose from. */
class WidgetView extends View {
  static override properties = {
    ...View.properties,
    message: { attribute: false },
    isActive: { attribute: false },
    isRenaming: { state: true },
    problem: { state: true },
  }
  declare message: Message
  /** Whether its buttons are reached by Tab. */
  declare isActive: boolean
  declare isRenaming: boolean
  declare problem: string | undefined

  constructor() {
    super()
    followState(this, ({ users }) => users)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, message } = this
    const userId = session?.state.me.user_id
    const widget = userId === undefined ? undefined : widgetOf(message, userId)
    if (session === undefined || userId === undefined) return nothing
    const offered = choicesOf(message)
    this.classList.toggle('widget', widget !== undefined || offered !== undefined)
    if (offered !== undefined) return this.#choices(offered)
    if (widget === undefined) {
      return html`<div dir="auto" ${htmlContent(message.content, session, this.isActive)}></div>`
    }
    return html`
      ${this.isRenaming ? this.#form(widget, true) : this.#title(widget, userId)}
      <ul>
        ${repeat(
          widget.items,
          ({ key }) => key,
          (item) => this.#item(widget, item, userId),
        )}
      </ul>
      ${this.#form(widget, false)}
      <span role="status">${this.problem ?? ''}</span>
    `
  }

  get #tabIndex(): number {
    return this.isActive ? 0 : -1
  }

  #choices({ heading, choices }: Choices): TemplateResult {
    return html`
      <strong dir="auto">${heading}</strong>
      <ul>
        ${choices.map(
          (choice) =>
            html`<li>
              <button
                class="reaction"
                title=${choice.reply}
                aria-label=${choice.longName || choice.shortName}
                tabindex=${this.#tabIndex}
                @click=${() => this.#reply(choice)}
              >
                ${choice.shortName}
              </button>
              <span dir="auto" aria-hidden="true">${choice.longName}</span>
            </li>`,
        )}
      </ul>
      <span role="status">${this.problem ?? ''}</span>
    `
  }

  /** Sends the reply as a message of the user, to the conversation of the bot's message. */
  #reply({ reply }: Choice): void {
    const { session } = this
    const to = session?.destinationOf(session.placeOf(this.message))
    if (session === undefined || to === undefined) return
    this.problem = undefined
    try {
      session.client.outbox.send({ to, content: reply })
    } catch (error) {
      this.problem = texts.failed(reasonOf(error))
    }
  }

  #title({ kind, title }: Widget, userId: number): TemplateResult {
    const isOwn = this.message.sender_id === userId
    const { name, rename } = dialogTexts.widgets[kind]
    return html`<div class="edit-buttons">
      <strong>${title || name}</strong>
      ${
        isOwn
          ? html`<button
              class="quiet"
              title=${rename}
              aria-label=${rename}
              tabindex=${this.#tabIndex}
              @click=${() => this.#rename(true)}
            >
              ${menuIcon('pencil')}
            </button>`
          : nothing
      }
    </div>`
  }

  #item(widget: Widget, item: WidgetItem, userId: number): TemplateResult {
    const isPoll = widget.kind === 'poll'
    const { voters, isDone, text } = item
    const ids = [...voters]
    const names = ids
      .slice(0, maxNames)
      .map((id) => this.session?.nameOf(id) || dialogTexts.someone)
    const more = ids.length > maxNames ? ` +${ids.length - maxNames}` : ''
    return html`<li>
      <button
        class="reaction"
        aria-pressed=${isPoll ? voters.has(userId) : isDone}
        aria-label=${isPoll ? dialogTexts.votes(text, ids.length) : dialogTexts.done(text)}
        tabindex=${this.#tabIndex}
        @click=${() => this.#send(toggled(widget, item, userId))}
      >
        ${isPoll ? ids.length : isDone ? '✓' : '\u00a0'}
      </button>
      <span>
        <span class=${isDone ? 'done' : ''}>${text}</span>
        <span class="mark">${isPoll ? names.join(', ') + more : item.note}</span>
      </span>
    </li>`
  }

  /** Adds an item, or changes the title. */
  #form(widget: Widget, isTitle: boolean): TemplateResult {
    const { rename, add } = dialogTexts.widgets[widget.kind]
    const name = isTitle ? rename : add
    return html`<form
      class="edit-buttons"
      @submit=${(event: Event) => this.#submit(event, widget, isTitle)}
      @keydown=${isTitle ? this.#press : nothing}
    >
      <input
        maxlength="500"
        autocomplete="off"
        placeholder=${name}
        aria-label=${name}
        tabindex=${this.#tabIndex}
        .value=${isTitle ? widget.title : ''}
      />
      <button class="plain" tabindex=${this.#tabIndex}>
        ${isTitle ? dialogTexts.save : dialogTexts.add}
      </button>
    </form>`
  }

  #rename(isRenaming: boolean): void {
    this.isRenaming = isRenaming
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>(isRenaming ? 'input' : 'strong + button')?.focus(),
    )
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    this.#rename(false)
  }

  async #submit(event: Event, widget: Widget, isTitle: boolean): Promise<void> {
    event.preventDefault()
    const { target } = event
    const field = target instanceof HTMLFormElement ? target.querySelector('input') : null
    const text = field?.value.trim() ?? ''
    if (field === null || text === '') return
    if (!(await this.#send(isTitle ? renamed(widget, text) : added(widget, text)))) return
    if (isTitle) this.#rename(false)
    else field.value = ''
  }

  async #send(change: object): Promise<boolean> {
    this.problem = undefined
    try {
      await this.session?.client.api.addSubmessage({
        message_id: this.message.id,
        msg_type: 'widget',
        content: JSON.stringify(change),
      })
      return true
    } catch (error) {
      this.problem = texts.failed(reasonOf(error))
      return false
    }
  }
}

define('parley-widget', WidgetView)
