import type { SavedSnippet } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { define } from '../view/view.js'
import { ItemList } from './item-list.js'
import { laterTexts } from './later-texts.js'
import { settingsTexts } from './settings-texts.js'

const maxTitle = 60

/** Texts that the user inserts into messages. */
class SnippetList extends ItemList {
  static override properties = { ...ItemList.properties, edited: { state: true } }
  /** The snippet that is being written; it may be a new one. */
  declare edited: SavedSnippet | 'new' | undefined

  constructor() {
    super()
    followState(this, ({ savedSnippets }) => savedSnippets)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, edited } = this
    if (session === undefined) return nothing
    const snippets = new Map(session.state.savedSnippets)
    // The snippet that the user is writing stays, also when another window deletes it.
    if (edited !== undefined && edited !== 'new') snippets.set(edited.id, edited)
    const inOrder = [...snippets.values()].sort((one, other) =>
      one.title.localeCompare(other.title),
    )
    const items = repeat(
      inOrder,
      ({ id }) => id,
      (snippet) =>
        snippet === edited
          ? html`<li>${this.#form(snippet, session)}</li>`
          : this.#item(snippet, session),
    )
    return this.list(
      laterTexts.snippets,
      laterTexts.noSnippets,
      inOrder.length === 0 ? [] : [html`${items}`],
      edited === 'new'
        ? this.#form(undefined, session)
        : this.button(laterTexts.newSnippet, laterTexts.newSnippet, () => this.#edit('new')),
    )
  }

  #item(snippet: SavedSnippet, session: Session): TemplateResult {
    const { id: saved_snippet_id, title, content } = snippet
    return html`<li>
      <strong dir="auto">${title}</strong>
      <p dir="auto">${content}</p>
      <div class="edit-buttons">
        ${this.insertButton(title, content)}
        ${this.button(settingsTexts.edit, laterTexts.editWhat(title), () => this.#edit(snippet))}
        ${this.deleteButton(title, () =>
          session.client.api.deleteSavedSnippet({ saved_snippet_id }),
        )}
      </div>
    </li>`
  }

  #edit(snippet: SavedSnippet | 'new'): void {
    this.edited = snippet
    void this.updateComplete.then(() => this.querySelector('input')?.focus())
  }

  #form(snippet: SavedSnippet | undefined, session: Session): TemplateResult {
    const end = (): void => {
      this.edited = undefined
      this.focusTitle()
    }
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault()
      if (!(event.target instanceof HTMLFormElement)) return
      const title = event.target.querySelector('input')?.value.trim() ?? ''
      const content = event.target.querySelector('textarea')?.value ?? ''
      const { api } = session.client
      const isSaved = await this.save(title, () =>
        snippet === undefined
          ? api.createSavedSnippet({ title, content })
          : api.editSavedSnippet({ saved_snippet_id: snippet.id, title, content }),
      )
      if (isSaved) end()
    }
    return html`<form @submit=${submit}>
      <label class="pair"
        ><span>${laterTexts.title}</span>
        <input required autocomplete="off" maxlength=${maxTitle} .value=${snippet?.title ?? ''} />
      </label>
      <label class="pair"
        ><span>${laterTexts.text}</span>
        <textarea
          rows="3"
          dir="auto"
          required
          maxlength=${session.state.organization.max_message_length ?? 10_000}
          .value=${snippet?.content ?? ''}
        ></textarea>
      </label>
      ${this.formButtons(end)}
    </form>`
  }
}

define('parley-snippets', SnippetList)
