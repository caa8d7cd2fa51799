import { readListMark } from './list-mark.js'

/** Lines without a blank line between them. */
export interface Chunk {
  readonly lines: string[]
  /** Number of blank lines before this chunk. */
  readonly blankLinesBefore: number
}

/** Splits `lines` at blank lines. */
export function splitIntoChunks(lines: readonly string[]): Chunk[] {
  return split(lines, false)
}

/**
 * Splits `lines` at blank lines, and also before a list without a blank line before it: between a
 * line of text and an item, and between a bullet and a number. For this rule a number has a single
 * digit, so that a year or a price at the start of a line does not begin a list.
 */
export function splitIntoChunksWithHangingLists(lines: readonly string[]): Chunk[] {
  return split(lines, true)
}

type LineKind = 'text' | 'bullet' | 'number'

function split(lines: readonly string[], hangsLists: boolean): Chunk[] {
  const chunks: Chunk[] = []
  let current: string[] | undefined
  let previousKind: LineKind = 'text'
  let blankLines = 0
  for (const line of lines) {
    if (line === '') {
      current = undefined
      blankLines += 1
      continue
    }
    const kind = hangsLists ? kindOfLine(line) : 'text'
    if (current !== undefined && kind !== 'text' && kind !== previousKind) {
      current = undefined
      blankLines = 1
    }
    if (current === undefined) {
      current = []
      chunks.push({ lines: current, blankLinesBefore: chunks.length === 0 ? 0 : blankLines })
      blankLines = 0
    }
    current.push(line)
    previousKind = kind
  }
  return chunks
}

function kindOfLine(line: string): LineKind {
  const mark = readListMark(line)
  if (mark === undefined || mark.number.length > 1) return 'text'
  return mark.isOrdered ? 'number' : 'bullet'
}
