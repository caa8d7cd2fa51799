/** The outer bars of a table's header; the same are dropped from its rows. */
export interface OuterBars {
  readonly left: boolean
  readonly right: boolean
}

/** Determines the outer bars of `header`. A right bar counts only with a left one. */
export function readOuterBars(header: string): OuterBars {
  const left = header.startsWith('|')
  return { left, right: left && endsWithBar(header) }
}

/** Whether the last character of `row` is a `|` that no backslash escapes. */
export function endsWithBar(row: string): boolean {
  if (!row.endsWith('|')) return false
  let backslashes = 0
  while (row[row.length - 2 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 0
}

/**
 * Splits `row` at its bars, with each cell trimmed. A bar inside a code span or after a backslash
 * belongs to its cell.
 */
export function splitRow(row: string, bars: OuterBars): string[] {
  let text = row
  if (bars.left || bars.right) {
    if (text.startsWith('|')) text = text.slice(1)
    if (endsWithBar(text)) text = text.slice(0, -1)
  }
  const marks = readMarks(text)
  const cells: string[] = []
  let cellStart = 0
  for (let index = 0; index < marks.length; index += 1) {
    const mark = marks[index]!
    if (mark.kind === 'ticks') {
      index = mark.partner ?? index
      continue
    }
    cells.push(trimSpaces(text.slice(cellStart, mark.start)))
    cellStart = mark.start + 1
  }
  cells.push(trimSpaces(text.slice(cellStart)))
  return cells
}

interface RowMark {
  readonly kind: 'bar' | 'ticks'
  readonly start: number
  /** Length of a run of backticks, as an opening mark. */
  readonly openingLength: number
  /** Position among the marks of the run that closes this one. */
  partner: number | undefined
}

/** Finds bars and runs of backticks, and pairs each run with the next one of the same length. */
function readMarks(text: string): RowMark[] {
  const marks: RowMark[] = []
  const lengths: number[] = []
  let index = 0
  while (index < text.length) {
    const character = text[index]
    const isEscaped = character === '\\'
    if (isEscaped && text[index + 1] !== '`') {
      index += 2
      continue
    }
    const runStart = isEscaped ? index + 1 : index
    if (text[runStart] === '`') {
      let runEnd = runStart
      while (text[runEnd] === '`') runEnd += 1
      const length = runEnd - runStart
      const openingLength = isEscaped ? length - 1 : length
      marks.push({ kind: 'ticks', start: runStart, openingLength, partner: undefined })
      lengths.push(length)
      index = runEnd
      continue
    }
    if (character === '|') {
      marks.push({ kind: 'bar', start: index, openingLength: 0, partner: undefined })
      lengths.push(0)
    }
    index += 1
  }
  pairTicks(marks, lengths)
  return marks
}

function pairTicks(marks: readonly RowMark[], lengths: readonly number[]): void {
  const nextOfLength = new Map<number, number>()
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index]!
    if (mark.kind !== 'ticks') continue
    if (mark.openingLength > 0) mark.partner = nextOfLength.get(mark.openingLength)
    nextOfLength.set(lengths[index]!, index)
  }
}

function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (text.charCodeAt(start) === 0x20) start += 1
  while (end > start && text.charCodeAt(end - 1) === 0x20) end -= 1
  return text.slice(start, end)
}
