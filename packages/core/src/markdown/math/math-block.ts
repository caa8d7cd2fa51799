import { splitIntoChunks } from '../blocks/chunks.js'
import type { InlineScope } from '../inline/inline-scope.js'
import { renderDisplayMath } from './render-math.js'

/** HTML of a math fence: one displayed formula per part, the parts separated by blank lines. */
export function mathBlockHtml(lines: readonly string[], scope: InlineScope): string {
  const formulas = splitIntoChunks(lines).map((chunk) =>
    renderDisplayMath(chunk.lines.join('\n'), scope),
  )
  return `<p>${formulas.join('\n\n')}</p>`
}
