import { html, type PropertyValues, type TemplateResult } from 'lit'

import { placeKey, searchTarget, type Place } from '../place.js'
import { texts } from '../texts.js'
import { icon } from '../view/icons.js'
import { define, View } from '../view/view.js'

/** Where the user asks for messages with certain words. It has the words of the search that is shown. */
class SearchField extends View {
  static override properties = { ...View.properties, place: { attribute: false } }
  /** The place that is shown. */
  declare place: Place | undefined
  #key = ''
  /** Where the end of a search leads to. */
  #before: Place = { kind: 'all' }

  protected override render(): TemplateResult {
    return html`<form class="search" role="search" @submit=${this.#submit}>
      ${icon('search')}
      <input
        type="search"
        name="query"
        part="search-field"
        aria-label=${texts.search}
        placeholder=${texts.searchHint}
        autocomplete="off"
        maxlength="200"
        @keydown=${this.#press}
      />
    </form>`
  }

  get #field(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  override focus(): void {
    this.#field?.focus()
  }

  get #query(): string {
    return this.place?.kind === 'search' ? this.place.query : ''
  }

  protected override updated(_changed: PropertyValues): void {
    const key = this.place === undefined ? '' : placeKey(this.place)
    if (key === this.#key) return
    this.#key = key
    if (this.place !== undefined && this.place.kind !== 'search') this.#before = this.place
    const field = this.#field
    if (field !== null) field.value = this.#query
  }

  /** Removes the typed text, then ends the search, then leaves the field. */
  readonly #press = (event: KeyboardEvent): void => {
    const { key, target: field } = event
    if (key !== 'Escape' || !(field instanceof HTMLInputElement)) return
    // The browser would empty the field.
    event.preventDefault()
    if (field.value !== this.#query) field.value = this.#query
    else if (this.#query === '') this.tell('parley-to-list')
    else this.tell('parley-go', { place: this.#before })
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault()
    const query = this.#field?.value.trim() ?? ''
    if (query !== '') this.tell('parley-go', searchTarget(query))
    else if (this.#query !== '') this.tell('parley-go', { place: this.#before })
  }
}

define('parley-search', SearchField)
export type { SearchField }
