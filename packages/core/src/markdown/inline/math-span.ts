import { isWordAt, isWordBefore } from '../characters.js'
import { renderInlineMath } from '../math/render-math.js'
import type { InlineScope } from './inline-scope.js'
import { tokenMark, TokenTextBuilder, type TokenText } from './token-text.js'

const dollar = 0x24

/**
 * `$$…$$` on one line. A single `$` inside is written `\$`; a word character or a third `$` may not
 * touch the outside, so that prices stay text.
 */
export function replaceMathSpans(source: TokenText, scope: InlineScope): TokenText {
  const { text } = source
  const { budget } = scope
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf('$$')
  while (start !== -1) {
    const openEnd = endOfRun(text, start)
    const end = openEnd - start === 2 ? findEnd(text, start) : undefined
    budget.spend((end ?? openEnd) - start)
    if (end === undefined) {
      start = text.indexOf('$$', openEnd)
      continue
    }
    const tex = text.slice(openEnd, end - 2)
    builder.replace(start, end, { html: renderInlineMath(tex, scope) })
    start = text.indexOf('$$', end)
  }
  return builder.finish()
}

/** The end of the span that opens at `start`, or `undefined` if it is text. */
function findEnd(text: string, start: number): number | undefined {
  if (isWordBefore(text, start)) return undefined
  const bodyStart = start + 2
  const first = text[bodyStart]
  if (first === undefined || first === '_' || first === '\n') return undefined
  let index = bodyStart + 1
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x0a || text[index] === tokenMark) return undefined
    if (code !== dollar) continue
    const runEnd = endOfRun(text, index)
    const isEscaped = text[index - 1] === '\\' && index - 1 > bodyStart
    const isShort = runEnd - index === 1
    if (isShort && isEscaped) continue
    const isClosing = runEnd - index === 2 || (runEnd - index === 3 && isEscaped)
    return isClosing && !isWordAt(text, runEnd) ? runEnd : undefined
  }
  return undefined
}

function endOfRun(text: string, start: number): number {
  let end = start
  while (text.charCodeAt(end) === dollar) end += 1
  return end
}
