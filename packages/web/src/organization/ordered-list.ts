import { html, type PropertyValues, type TemplateResult } from 'lit'

import { settingsTexts } from '../settings/settings-texts.js'
import { EditList } from './edit-list.js'
import { organizationTexts } from './organization-texts.js'

/** A list whose order the organization decides. */
export abstract class OrderedList<Item extends { readonly id: number }> extends EditList<Item> {
  #focused: HTMLElement | null = null

  /** Sends the ids of all items in another order. */
  protected abstract reorder(ids: readonly number[]): Promise<unknown>

  protected override willUpdate(): void {
    this.#focused = this.querySelector<HTMLElement>(':focus')
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const focused = this.#focused
    if (focused?.isConnected !== true) return
    // An element that is moved in the list loses the focus, and so does a button that is switched
    // off: the first item has no way up.
    if (focused instanceof HTMLButtonElement && focused.disabled) {
      focused.parentElement?.querySelector<HTMLElement>('.move:enabled')?.focus()
    } else if (!focused.matches(':focus')) {
      focused.focus()
    }
  }

  /** The items as the user has ordered them, from before the server has said so. */
  protected inOrder(stored: readonly Item[]): Item[] {
    const ids = stored.map(({ id }) => id).join()
    const shown = this.entered.shown('order', ids)
    const byId = new Map(stored.map((item) => [String(item.id), item]))
    return shown.split(',').flatMap((id) => byId.get(id) ?? [])
  }

  /** The entries of all items. The edited one stays, also when it is deleted meanwhile. */
  protected ordered(
    stored: readonly Item[],
    nameOf: (item: Item) => string,
    form: (item: Item) => TemplateResult,
    show: (item: Item, moveButtons: TemplateResult) => TemplateResult,
  ): TemplateResult[] {
    const { edited } = this
    const items = this.inOrder(stored)
    const isGone = (item: Item): boolean => !items.some(({ id }) => id === item.id)
    if (edited !== undefined && edited !== 'new' && isGone(edited)) items.push(edited)
    if (items.length === 0) return []
    const entry = (item: Item, index: number): TemplateResult =>
      show(item, this.moveButtons(items, stored, index, nameOf(item)))
    return [this.entries(items, ({ id }) => id, form, entry)]
  }

  protected moveButtons(
    items: readonly Item[],
    stored: readonly Item[],
    index: number,
    name: string,
  ): TemplateResult {
    const ids = items.map(({ id }) => id)
    const to = (target: number) => (): void => {
      const next = ids.toSpliced(index, 1).toSpliced(target, 0, ...ids.slice(index, index + 1))
      void this.#move(next, stored, organizationTexts.moved(name, target + 1, ids.length))
    }
    return html`<button
        class="plain move"
        type="button"
        aria-label=${organizationTexts.moveUp(name)}
        ?disabled=${index === 0}
        @click=${to(index - 1)}
      >
        ${organizationTexts.up}
      </button>
      <button
        class="plain move"
        type="button"
        aria-label=${organizationTexts.moveDown(name)}
        ?disabled=${index === items.length - 1}
        @click=${to(index + 1)}
      >
        ${organizationTexts.down}
      </button>`
  }

  async #move(ids: readonly number[], stored: readonly Item[], done: string): Promise<void> {
    this.entered.send('order', ids.join(), stored.map(({ id }) => id).join())
    this.requestUpdate()
    const isDone = await this.run(
      () => this.reorder(ids),
      done,
      (reason) => settingsTexts.failed(organizationTexts.order, reason),
    )
    if (isDone) return
    this.entered.forget('order')
    this.requestUpdate()
  }
}
