import { endsWithBar, readOuterBars, splitRow, type OuterBars } from './table-row.js'
import type { Alignment, Table } from './tree.js'

const separatorCell = /^:?-+:?$/

/**
 * Parses `lines[from, to)` as a table: a header row, a separator row with as many cells, then rows.
 * Short rows are padded, long ones truncated. `undefined` if the first two lines are not such a
 * pair.
 */
export function readTable(lines: readonly string[], from: number, to: number): Table | undefined {
  const separatorLine = lines[from + 1]
  if (to - from < 2 || separatorLine === undefined || !separatorLine.includes('-')) return undefined
  const separator = separatorLine.trim()
  const headerLine = lines[from]!.trim()
  const bars = readOuterBars(headerLine)
  const separatorCells = splitRow(separator, bars)
  if (!separatorCells.every((cell) => separatorCell.test(cell))) return undefined
  const header = splitRow(headerLine, bars)
  if (header.length !== separatorCells.length) return undefined
  if (header.length === 1 && !isSingleColumnTable(lines, from, to, bars)) return undefined

  const rows: string[][] = []
  for (let index = from + 2; index < to; index += 1) {
    rows.push(fit(splitRow(lines[index]!.trim(), bars), header.length))
  }
  if (rows.length === 0) rows.push(fit([], header.length))
  return { kind: 'table', alignments: separatorCells.map(readAlignment), header, rows }
}

/** A table of one column is recognized by its outer bars: every row needs at least one. */
function isSingleColumnTable(
  lines: readonly string[],
  from: number,
  to: number,
  bars: OuterBars,
): boolean {
  if (!bars.left) return false
  for (let index = from + 1; index < to; index += 1) {
    const row = lines[index]!.trim()
    if (!row.startsWith('|') && !endsWithBar(row)) return false
  }
  return true
}

function fit(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => cells[column] ?? '')
}

function readAlignment(cell: string): Alignment {
  const isLeft = cell.startsWith(':')
  const isRight = cell.endsWith(':')
  if (isLeft && isRight) return 'center'
  if (isLeft) return 'left'
  return isRight ? 'right' : undefined
}
