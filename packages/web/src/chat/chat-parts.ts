import type { Composer } from '../composer/composer.js'
import type { Conversation } from '../conversation/conversation.js'
import type { SearchField } from '../search/search-field.js'

/** The parts of a chat that others use by their methods, while they are shown. */
export class ChatParts {
  readonly #chat: { readonly renderRoot: HTMLElement | DocumentFragment }

  constructor(chat: { readonly renderRoot: HTMLElement | DocumentFragment }) {
    this.#chat = chat
  }

  get conversation(): Conversation | null {
    return this.#chat.renderRoot.querySelector<Conversation>('parley-conversation')
  }

  get composer(): Composer | null {
    return this.#chat.renderRoot.querySelector<Composer>('parley-composer')
  }

  get search(): SearchField | null {
    return this.#chat.renderRoot.querySelector<SearchField>('parley-search')
  }
}
