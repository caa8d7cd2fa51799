import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'

import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import type { View } from '../view/view.js'
import { suggestionsFor, type Suggestion } from './suggestions.js'
import { triggerOf, type Trigger } from './trigger.js'

/** Suggestions for the word at the cursor of a text field, which keeps the focus. */
export class Completion implements ReactiveController {
  readonly #view: View
  #trigger: Trigger | undefined
  #found: readonly Suggestion[] = []
  #current = 0
  /** Escape closes the list until another word begins. */
  #closedAt = -1

  constructor(view: View) {
    this.#view = view
    view.addController(this)
  }

  hostDisconnected(): void {
    this.close()
  }

  get isOpen(): boolean {
    return this.#found.length > 0
  }

  /** The id of the chosen suggestion, for `aria-activedescendant`. */
  get currentId(): string | undefined {
    return this.isOpen ? `suggestion-${this.#current}` : undefined
  }

  close(): void {
    this.#trigger = undefined
    this.#found = []
    this.#view.requestUpdate()
  }

  /** The text or the cursor has changed. */
  async look(field: HTMLTextAreaElement, session: Session): Promise<void> {
    const isRange = field.selectionStart !== field.selectionEnd
    const trigger = isRange ? undefined : triggerOf(field.value.slice(0, field.selectionStart))
    if (trigger === undefined || trigger.start === this.#closedAt) {
      if (trigger === undefined) this.#closedAt = -1
      if (this.#trigger !== undefined || this.isOpen) this.close()
      return
    }
    this.#trigger = trigger
    const found = await suggestionsFor(trigger, session)
    if (this.#trigger !== trigger) return
    this.#found = found
    this.#current = 0
    this.#view.requestUpdate()
  }

  /** @returns whether the key was for the list. */
  press(event: KeyboardEvent, field: HTMLTextAreaElement): boolean {
    if (!this.isOpen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      this.#current = (this.#current + step + this.#found.length) % this.#found.length
      this.#view.requestUpdate()
    } else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') {
      this.#take(this.#found[this.#current], field)
    } else if (event.key === 'Escape') {
      this.#closedAt = this.#trigger?.start ?? -1
      this.close()
      // The next one is for the elements around this.
      event.stopPropagation()
    } else return false
    event.preventDefault()
    return true
  }

  render(field: () => HTMLTextAreaElement | null): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing
    const take = (event: Event, suggestion: Suggestion): void => {
      // The field keeps the focus.
      event.preventDefault()
      const target = field()
      if (target !== null) this.#take(suggestion, target)
    }
    return html`<ul
      id="suggestions"
      class="suggestions"
      role="listbox"
      aria-label=${texts.completions}
    >
      ${this.#found.map(
        (suggestion, index) =>
          html`<li
            id=${`suggestion-${index}`}
            role="option"
            aria-selected=${index === this.#current}
            @pointerdown=${(event: Event) => take(event, suggestion)}
          >
            ${
              suggestion.image === undefined
                ? html`<span class="glyph">${suggestion.characters ?? ''}</span>`
                : html`<img src=${suggestion.image} alt="" width="20" height="20" />`
            }
            <span>${suggestion.label}</span>
            <span class="hint">${suggestion.hint ?? ''}</span>
          </li>`,
      )}
    </ul>`
  }

  #take(suggestion: Suggestion | undefined, field: HTMLTextAreaElement): void {
    const trigger = this.#trigger
    this.close()
    if (suggestion === undefined || trigger === undefined) return
    field.setRangeText(`${suggestion.insert} `, trigger.start, field.selectionStart, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
