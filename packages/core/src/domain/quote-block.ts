import { codePointLength, takeCodePoints } from './folding.js'

const truncationNotice = '\n[message truncated]'

/**
 * A text in a block that it cannot end, as Markdown.
 *
 * @param opening what stands behind the fence, such as `quote`.
 * @param maxLength how many characters the whole block may have; the text is cut to fit.
 */
export function quoteBlock(opening: string, text: string, maxLength: number): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const room = maxLength - 2 * fence.length - codePointLength(opening) - '\n\n'.length
  return `${fence}${opening}\n${shortened(text, room)}\n${fence}`
}

function shortened(text: string, maxLength: number): string {
  if (codePointLength(text) <= maxLength) return text
  return takeCodePoints(text, Math.max(0, maxLength - truncationNotice.length)) + truncationNotice
}
