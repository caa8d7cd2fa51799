import { html, type TemplateResult } from 'lit'

import { searchTarget, type Target } from '../place.js'
import { texts } from '../texts.js'
import { icon } from '../view/icons.js'
import { define, View } from '../view/view.js'

/** Where the user asks for messages with certain words. */
class SearchField extends View {
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

  readonly #press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !(event.target instanceof HTMLInputElement)) return
    event.target.value = ''
    this.#search('')
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault()
    this.#search(this.querySelector('input')?.value.trim() ?? '')
  }

  #search(query: string): void {
    const target: Target = query === '' ? { place: { kind: 'all' } } : searchTarget(query)
    this.tell('parley-go', target)
  }
}

define('parley-search', SearchField)
