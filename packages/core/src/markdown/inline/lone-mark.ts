import { isSpace } from '../characters.js'
import { escapeText } from '../html.js'
import type { InlineScope } from './inline-scope.js'
import { TokenTextBuilder, type TokenText } from './token-text.js'

/**
 * A `*` or `_` with whitespace or an end of the text on both sides is text, together with that
 * whitespace: a newline next to it is not a line break.
 */
export function replaceLoneMarks(source: TokenText, { budget }: InlineScope): TokenText {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  budget.spend(text.length)
  let consumedUntil = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code !== 0x2a && code !== 0x5f) continue
    const hasLeft = index === 0 || (index > consumedUntil && isSpace(text.charCodeAt(index - 1)))
    const hasRight = index + 1 === text.length || isSpace(text.charCodeAt(index + 1))
    if (!hasLeft || !hasRight) continue
    const start = index === 0 ? 0 : index - 1
    const end = Math.min(index + 2, text.length)
    builder.replace(start, end, { html: escapeText(text.slice(start, end)) })
    consumedUntil = end
    index = end - 1
  }
  return builder.finish()
}
