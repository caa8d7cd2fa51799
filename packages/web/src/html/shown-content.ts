import type { Message } from '@parley/client'

/** The command may be marked because a search has found it. */
const meCommand = /^<p>\/(?:me|<span class="highlight">me<\/span>) /

/** The HTML of a message; of `/me`, the part that is shown after the name of the sender. */
export function shownContent(
  { content, is_me_message }: Pick<Message, 'content' | 'is_me_message'>,
  found = content,
): string {
  return is_me_message ? found.replace(meCommand, '<p>') : found
}
