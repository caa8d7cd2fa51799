import type { Composer } from '../composer/composer.js'
import type { Conversation } from '../conversation/conversation.js'
import type { SearchField } from '../search/search-field.js'

/** The parts of a chat that others use by their methods, while they are shown. */
export interface ChatParts {
  readonly conversation: Conversation | null
  readonly composer: Composer | null
  readonly search: SearchField | null
}

export function partsOf(root: ParentNode): ChatParts {
  return {
    conversation: root.querySelector<Conversation>('parley-conversation'),
    composer: root.querySelector<Composer>('parley-composer'),
    search: root.querySelector<SearchField>('parley-search'),
  }
}
