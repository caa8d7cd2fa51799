import { html, type TemplateResult } from 'lit'

import { textField, type TextField } from '../settings/fields.js'
import { Section } from '../settings/section.js'
import { settingsTexts } from '../settings/settings-texts.js'
import { useManageStyle } from './manage-view.js'

interface SavedText extends Pick<TextField, 'label' | 'type' | 'maxLength' | 'isRequired'> {
  /** The name of the entered value. */
  readonly name: string
  readonly stored: string
  readonly save: (value: string) => Promise<unknown>
}

/** A section about a channel or a group. */
export class ManageSection extends Section {
  #isActing = false

  override connectedCallback(): void {
    super.connectedCallback()
    useManageStyle(this)
  }

  /** A text with a button that saves it. */
  protected savedText({ name, stored, save, ...field }: SavedText): TemplateResult {
    const value = this.entered.shown(name, stored)
    const submit = (event: Event): void => {
      event.preventDefault()
      const next = value.trim()
      if (next === stored) return
      void this.saveText(name, field.label, [next, stored], () => save(next))
    }
    return html`<form @submit=${submit}>
      ${textField({
        ...field,
        value,
        input: (text) => this.enter(name, text),
      })}
      ${this.saveButton(field.label, value.trim() !== stored && !this.entered.isSent(name))}
    </form>`
  }

  protected saveButton(what: string, isChanged: boolean): TemplateResult {
    return html`<div class="edit-buttons">
      <button class="plain" aria-label=${settingsTexts.saveWhat(what)} ?disabled=${!isChanged}>
        ${settingsTexts.save}
      </button>
    </div>`
  }

  /** Runs the action of a button, once at a time. @returns whether the server has accepted it. */
  protected async act(...action: Parameters<Section['run']>): Promise<boolean> {
    if (this.#isActing) return false
    this.#isActing = true
    try {
      return await this.run(...action)
    } finally {
      this.#isActing = false
    }
  }

  protected enter(name: string, value: unknown): void {
    this.entered.enter(name, value)
    this.requestUpdate()
  }
}

/** A value that the user may see and not change. */
export function readOnly(label: string, value: unknown): TemplateResult {
  return html`<div class="pair">
    <span>${label}</span>
    <div dir="auto">${value}</div>
  </div>`
}
