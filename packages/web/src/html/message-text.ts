import type { Message } from '@parley/client'

import { parseHtml } from './parse-html.js'
import { shownContent } from './shown-content.js'

const maxCharacters = 200

/** The beginning of a message as plain text, without hidden parts. */
export function messageText(message: Message): string {
  const content = parseHtml(shownContent(message))
  for (const hidden of content.querySelectorAll('.spoiler-content, .katex-html, annotation')) {
    hidden.remove()
  }
  return content.textContent.replaceAll(/\s+/g, ' ').trim().slice(0, maxCharacters)
}
