import { escapeCode } from '../html.js'
import type { InlineScope } from './inline-scope.js'
import { TokenTextBuilder, type TokenText } from './token-text.js'

const backtick = 0x60
const backslash = 0x5c

interface Run {
  readonly start: number
  readonly end: number
}

/**
 * Code between equally long runs of backticks. An unclosed run is tried again as a shorter one; its
 * remaining backticks are then code. A backslash removes one backtick from the opening.
 */
export function replaceCodeSpans(source: TokenText, { budget }: InlineScope): TokenText {
  const runs = findRuns(source.text)
  const closers = new Closers(runs)
  const builder = new TokenTextBuilder(source)
  for (let index = 0; index < runs.length; index += 1) {
    const { start, end } = runs[index]!
    budget.spend(end - start)
    const isEscaped = source.text.charCodeAt(start - 1) === backslash
    const opening = isEscaped ? start + 1 : start
    for (let length = end - opening; length > 0; length -= 1) {
      const closer = closers.next(length, index)
      if (closer === undefined) continue
      const { start: closingStart, end: closingEnd } = runs[closer]!
      const code = source.text.slice(opening + length, closingStart)
      builder.replace(opening, closingEnd, { html: `<code>${escapeCode(code)}</code>` })
      index = closer
      break
    }
  }
  return builder.finish()
}

function findRuns(text: string): Run[] {
  const runs: Run[] = []
  let start = text.indexOf('`')
  while (start !== -1) {
    let end = start + 1
    while (text.charCodeAt(end) === backtick) end += 1
    runs.push({ start, end })
    start = text.indexOf('`', end)
  }
  return runs
}

/** The runs of each length, queried in increasing order. */
class Closers {
  private readonly byLength = new Map<number, { readonly runs: number[]; position: number }>()

  constructor(runs: readonly Run[]) {
    for (const [index, { start, end }] of runs.entries()) {
      const queue = this.byLength.get(end - start)
      if (queue === undefined) this.byLength.set(end - start, { runs: [index], position: 0 })
      else queue.runs.push(index)
    }
  }

  /** The first run of exactly `length` after the run `index`. */
  next(length: number, index: number): number | undefined {
    const queue = this.byLength.get(length)
    if (queue === undefined) return undefined
    while (queue.position < queue.runs.length && queue.runs[queue.position]! <= index) {
      queue.position += 1
    }
    return queue.runs[queue.position]
  }
}
