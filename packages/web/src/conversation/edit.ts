import type { Message } from '@parley/client'
import { html, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { keepText, keptText } from '../session/kept-texts.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'

/** The text of a message while its sender changes it. */
class Edit extends View {
  static override properties = {
    ...View.properties,
    message: { attribute: false },
    source: { state: true },
    problem: { state: true },
    isSaving: { state: true },
  }
  declare message: Message
  /** Markdown; undefined until it is loaded. */
  declare source: string | undefined
  declare problem: string | undefined
  declare isSaving: boolean
  /** The text that the user has written before, and has not saved. */
  #written: string | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    void this.#load()
  }

  async #load(): Promise<void> {
    await this.updateComplete
    try {
      const answer = await this.session?.client.api.getMessage({
        message_id: this.message.id,
        apply_markdown: false,
      })
      this.source = answer?.message.content
      this.#written = keptText(this.#key, 'sessionStorage')
      await this.updateComplete
      const field = this.querySelector('textarea')
      field?.focus()
      field?.setSelectionRange(field.value.length, field.value.length)
    } catch (error) {
      this.problem = reasonOf(error)
    }
  }

  protected override render(): TemplateResult {
    return html`<form class="edit" @submit=${this.#submit} @keydown=${this.#press}>
      <textarea
        rows="3"
        aria-label=${dialogTexts.message}
        ?disabled=${this.source === undefined}
        .value=${this.#written ?? this.source ?? ''}
        @input=${this.#keep}
      ></textarea>
      <div class="edit-buttons">
        <button class="plain" type="button" @click=${this.#cancel}>${dialogTexts.cancel}</button>
        <button class="main" ?disabled=${this.source === undefined || this.isSaving}>
          ${dialogTexts.save}
        </button>
        <span role="status">${this.problem ?? ''}</span>
      </div>
    </form>`
  }

  /** A change that is not saved survives a reload of its tab, and other conversations. */
  get #key(): string {
    const { session } = this
    return `parley-edit ${session?.url} ${session?.state.me.user_id} ${this.message.id}`
  }

  readonly #keep = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) keepText(this.#key, target.value, 'sessionStorage')
  }

  /** Ends the change, and forgets it. */
  readonly #cancel = (): void => {
    keepText(this.#key, undefined, 'sessionStorage')
    this.#leave()
  }

  readonly #leave = (): void => this.tell('parley-edited', this.message.id)

  readonly #press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      // The written text is there when the message is changed again.
      this.#leave()
    } else if (
      event.key === 'Enter' &&
      !event.shiftKey &&
      event.target instanceof HTMLTextAreaElement
    ) {
      event.preventDefault()
      this.querySelector('form')?.requestSubmit()
    }
  }

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const content = this.querySelector('textarea')?.value ?? ''
    if (content === this.source) {
      this.#cancel()
      return
    }
    this.isSaving = true
    try {
      await this.session?.client.api.updateMessage({ message_id: this.message.id, content })
      this.#cancel()
    } catch (error) {
      this.problem = reasonOf(error)
    } finally {
      this.isSaving = false
    }
  }
}

define('parley-edit', Edit)
