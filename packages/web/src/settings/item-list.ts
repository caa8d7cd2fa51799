import { html, nothing, type TemplateResult } from 'lit'

import { chatOf } from '../conversation/page-actions.js'
import { ask } from '../view/ask.js'
import { laterTexts } from './later-texts.js'
import { ReportingSection } from './reporting-section.js'
import { settingsTexts } from './settings-texts.js'

const maxExcerpt = 40

export function excerptOf(text: string): string {
  return text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}…` : text
}

/** A list of the user's own things, which can be deleted. */
export class ItemList extends ReportingSection {
  protected list(
    title: string,
    none: string,
    items: readonly TemplateResult[],
    more: TemplateResult | typeof nothing = nothing,
  ): TemplateResult {
    return html`<h3 tabindex="-1">${title}</h3>
      ${
        items.length === 0
          ? html`<p class="quiet-text">${none}</p>`
          : html`<ul class="items" aria-label=${title}>
              ${items}
            </ul>`
      }
      ${more}`
  }

  /** The element with the focus may be removed with its item, or with a form. */
  protected focusTitle(): void {
    this.querySelector('h3')?.focus()
  }

  protected button(
    text: string,
    label: string,
    act: (button: HTMLElement) => void,
  ): TemplateResult {
    const click = ({ currentTarget }: Event): void => {
      if (currentTarget instanceof HTMLElement) act(currentTarget)
    }
    return html`<button class="plain" type="button" aria-label=${label} @click=${click}>
      ${text}
    </button>`
  }

  /** A button that adds a text to the message that the user is writing. */
  protected insertButton(what: string, text: string): TemplateResult | typeof nothing {
    // A narrow page shows the settings beside the list, without a composer.
    if (chatOf(this)?.parts?.composer?.hasField !== true) return nothing
    return this.button(laterTexts.insert, laterTexts.insertWhat(what), () =>
      // The opener of the dialog inserts the text.
      this.closest('dialog')?.close(text),
    )
  }

  /** A button that deletes an item after a question. */
  protected deleteButton(
    what: string,
    action: () => Promise<unknown>,
    question: string = laterTexts.deleteQuestion(what),
  ): TemplateResult {
    const run = async (button: HTMLElement): Promise<void> => {
      if (!(await ask(button, question, settingsTexts.remove))) return
      if (await this.delete(action)) this.focusTitle()
    }
    return this.button(settingsTexts.remove, laterTexts.deleteWhat(what), (button) => {
      void run(button)
    })
  }

  protected formButtons(cancel: () => void): TemplateResult {
    return html`<div class="edit-buttons">
      <button class="plain" type="button" @click=${cancel}>${settingsTexts.cancel}</button>
      <button class="main">${settingsTexts.save}</button>
    </div>`
  }
}
