import { codePointLength, takeCodePoints } from '../texts/folding.js'

const truncationNotice = '\n[message truncated]'

/**
 * Puts a text into a fenced block that the text cannot close, as Markdown.
 *
 * @param opening text after the opening fence, such as `quote`.
 * @param maxLength maximum number of characters of the whole block; the text is truncated to fit.
 */
export function quoteBlock(opening: string, text: string, maxLength: number): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const maxTextLength = maxLength - 2 * fence.length - codePointLength(opening) - '\n\n'.length
  return `${fence}${opening}\n${shortened(text, maxTextLength)}\n${fence}`
}

function shortened(text: string, maxLength: number): string {
  if (codePointLength(text) <= maxLength) return text
  return takeCodePoints(text, Math.max(0, maxLength - truncationNotice.length)) + truncationNotice
}
