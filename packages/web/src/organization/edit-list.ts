import { html, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { ItemList } from '../settings/item-list.js'
import { settingsTexts } from '../settings/settings-texts.js'
import { problemOf, type Problem } from './form-field.js'
import { organizationTexts } from './organization-texts.js'

/** A list whose items are changed in their places, one at a time. */
export class EditList<Item> extends ItemList {
  static override properties = {
    ...ItemList.properties,
    edited: { state: true },
    problem: { state: true },
  }
  /** The item that is being edited, as it was at the beginning; or a new one. */
  declare edited: Item | 'new' | undefined
  /** Why the server has refused it. */
  declare problem: Problem | undefined
  #isSending = false

  /** Items, of which the one that is being changed is a form. */
  protected entries(
    items: readonly Item[],
    keyOf: (item: Item) => number,
    form: (item: Item) => TemplateResult,
    show: (item: Item, index: number) => TemplateResult,
  ): TemplateResult {
    const { edited } = this
    return html`${repeat(items, keyOf, (item, index) =>
      edited !== undefined && edited !== 'new' && keyOf(edited) === keyOf(item)
        ? html`<li>${form(edited)}</li>`
        : show(item, index),
    )}`
  }

  protected edit(item: Item | 'new'): void {
    this.edited = item
    this.problem = undefined
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>('form input, form select')?.focus(),
    )
  }

  /** Ends the form. The focus returns to its opener. */
  protected async end(key: number | string | undefined): Promise<void> {
    this.edited = this.problem = undefined
    await this.updateComplete
    const opener = this.querySelector<HTMLElement>(
      key === undefined ? '.add' : `[data-key="${key}"] .edit`,
    )
    if (opener === null) this.focusTitle()
    else opener.focus()
  }

  /** Sends a form, which stays if it is refused. A second click waits for nothing. */
  protected async submit(
    what: string,
    key: number | string | undefined,
    action: () => Promise<unknown>,
  ): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    const { edited } = this
    this.problem = undefined
    try {
      await action()
      this.report(settingsTexts.saved(what))
      if (this.edited === edited) await this.end(key)
    } catch (error) {
      this.problem = problemOf(error)
    } finally {
      this.#isSending = false
    }
  }

  /** An action of a button without a form. */
  protected async act(done: string, action: () => Promise<unknown>): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    // The element with the focus may be removed with its item.
    if (await this.run(action, done, organizationTexts.notDone)) this.focusTitle()
    this.#isSending = false
  }

  protected editButton(what: string, item: Item): TemplateResult {
    return html`<button
      class="plain edit"
      type="button"
      aria-label=${organizationTexts.editWhat(what)}
      @click=${() => this.edit(item)}
    >
      ${settingsTexts.edit}
    </button>`
  }

  protected addButton(text: string): TemplateResult {
    return html`<div class="edit-buttons">
      <button class="plain add" type="button" @click=${() => this.edit('new')}>${text}</button>
    </div>`
  }
}
