import { html, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { withOption, type FieldOption } from './field-form.js'
import { fieldTexts } from './field-texts.js'

/** The options of a field. Users keep an option that they have chosen when it is renamed. */
export function fieldOptions(
  options: readonly FieldOption[],
  change: (options: readonly FieldOption[]) => void,
): TemplateResult {
  const enter = (key: string, event: Event): void => {
    const { target } = event
    if (!(target instanceof HTMLInputElement)) return
    change(options.map((each) => (each.key === key ? { key, text: target.value } : each)))
  }
  const remove = (key: string, { currentTarget }: Event): void => {
    // The button goes with its option.
    if (currentTarget instanceof HTMLElement) {
      currentTarget.closest('fieldset')?.querySelector<HTMLElement>('.add-option')?.focus()
    }
    change(options.filter((each) => each.key !== key))
  }
  return html`<fieldset>
    <legend>${fieldTexts.options}</legend>
    ${repeat(
      options,
      ({ key }) => key,
      ({ key, text }, index) =>
        html`<div class="option">
          <input
            dir="auto"
            required
            autocomplete="off"
            aria-label=${fieldTexts.option(index + 1)}
            .value=${text}
            @input=${(event: Event) => enter(key, event)}
          />
          <button
            class="plain"
            type="button"
            aria-label=${fieldTexts.removeOptionWhat(text || fieldTexts.option(index + 1))}
            ?disabled=${options.length === 1}
            @click=${(event: Event) => remove(key, event)}
          >
            ${fieldTexts.removeOption}
          </button>
        </div>`,
    )}
    <button class="plain add-option" type="button" @click=${() => change(withOption(options))}>
      ${fieldTexts.addOption}
    </button>
  </fieldset>`
}
