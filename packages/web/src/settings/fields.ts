import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'

import { settingsTexts } from './settings-texts.js'

/** A setting that is on or off, with its label. */
export function checkbox(
  label: string,
  isOn: boolean,
  change: (isOn: boolean) => void,
  isDisabled = false,
): TemplateResult {
  const changed = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) change(target.checked)
  }
  return html`<label class="check"
    ><input type="checkbox" .checked=${live(isOn)} ?disabled=${isDisabled} @change=${changed} />
    <span>${label}</span></label
  >`
}

export type Choice<Value> = readonly [value: Value, label: string]

/** A setting that has one of several values, with its label. */
export function choice<Value>(
  label: string,
  value: Value,
  choices: readonly Choice<Value>[],
  change: (value: Value) => void,
): TemplateResult {
  const index = choices.findIndex(([each]) => each === value)
  // Other clients may know more values.
  const all: readonly Choice<Value>[] = index < 0 ? [...choices, [value, String(value)]] : choices
  const current = index < 0 ? all.length - 1 : index
  const changed = ({ target }: Event): void => {
    const chosen = target instanceof HTMLSelectElement ? all[target.selectedIndex] : undefined
    if (chosen !== undefined) change(chosen[0])
  }
  return html`<label class="pair"
    ><span>${label}</span>
    <select .selectedIndex=${live(current)} @change=${changed}>
      ${all.map(([, text], each) => html`<option ?selected=${each === current}>${text}</option>`)}
    </select></label
  >`
}

export interface TextField {
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'url' | 'date' | 'long'
  readonly hint?: string
  readonly maxLength?: number | undefined
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  input(value: string): void
}

/** A field for a text, with its label. */
export function textField(field: TextField): TemplateResult {
  const { label, value, type = 'text', hint = '', maxLength, isDisabled = false } = field
  const changed = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      field.input(target.value)
    }
  }
  return html`<label class="pair"
    ><span>${label}${hint === '' ? nothing : html` <span class="quiet-text">${hint}</span>`}</span>
    ${
      type === 'long'
        ? html`<textarea
            rows="3"
            dir="auto"
            maxlength=${maxLength ?? nothing}
            ?disabled=${isDisabled}
            ?required=${field.isRequired === true}
            .value=${live(value)}
            @input=${changed}
          ></textarea>`
        : html`<input
            type=${type}
            dir="auto"
            autocomplete="off"
            maxlength=${maxLength ?? nothing}
            ?disabled=${isDisabled}
            ?required=${field.isRequired === true}
            .value=${live(value)}
            @input=${changed}
          />`
    }</label
  >`
}

/** A button that sends the form around it. */
export function saveButton(what: string, isChanged: boolean): TemplateResult {
  return html`<div class="edit-buttons">
    <button class="plain" aria-label=${settingsTexts.saveWhat(what)} ?disabled=${!isChanged}>
      ${settingsTexts.save}
    </button>
  </div>`
}
