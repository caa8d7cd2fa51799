import { median } from './interleave.js'
import type { Aim, Result } from './row.js'

/** A result as the table and the JSON file show it. */
export interface Line {
  readonly name: string
  readonly unit: string
  readonly floor: number
  readonly ours: number
  /** The median of the rounds' ratios, and the smallest and the largest of them. */
  readonly ratio: number
  readonly ratioMinimum: number
  readonly ratioMaximum: number
  readonly aim: string
  /** Undefined where there is no aim. */
  readonly isReached: boolean | undefined
  readonly samples: { readonly floor: readonly number[]; readonly ours: readonly number[] }
}

export function lineOf({ name, unit, floor, ours, aim }: Result): Line {
  const ratios = ours.map((value, round) => value / (floor[round] as number))
  const ratio = median(ratios)
  return {
    name,
    unit,
    floor: median(floor),
    ours: median(ours),
    ratio,
    ratioMinimum: Math.min(...ratios),
    ratioMaximum: Math.max(...ratios),
    aim: aimText(aim),
    isReached: isReached(aim, ratio),
    samples: { floor, ours },
  }
}

const columns = ['what', 'unit', 'floor', 'ours', 'ratio', 'min – max', 'aim', ''] as const

/** Aligned text, one line per result. */
export function tableText(lines: readonly Line[]): string {
  const cells = lines.map((line) => [
    line.name,
    line.unit,
    short(line.floor),
    short(line.ours),
    line.ratio.toFixed(2),
    `${line.ratioMinimum.toFixed(2)} – ${line.ratioMaximum.toFixed(2)}`,
    line.aim,
    line.isReached === undefined ? '' : line.isReached ? 'yes' : 'NO',
  ])
  return aligned([columns, ...cells], 2)
}

/**
 * The ratios of two runs side by side. What is outside the range of the other run's rounds is marked;
 * the rest may be noise.
 */
export function comparisonText(before: readonly Line[], after: readonly Line[]): string {
  const known = new Map(before.map((line) => [line.name, line]))
  const cells = after.map((line) => {
    const old = known.get(line.name)
    if (old === undefined) return [line.name, '', ratioText(line), line.aim, 'new']
    const isOutside = line.ratioMinimum > old.ratioMaximum || line.ratioMaximum < old.ratioMinimum
    return [
      line.name,
      ratioText(old),
      ratioText(line),
      line.aim,
      isOutside ? `×${(line.ratio / old.ratio).toFixed(2)}` : '',
    ]
  })
  return aligned([['what', 'before', 'after', 'aim', 'beyond noise'], ...cells], 1)
}

function ratioText({ ratio, ratioMinimum, ratioMaximum }: Line): string {
  return `${ratio.toFixed(2)} (${ratioMinimum.toFixed(2)} – ${ratioMaximum.toFixed(2)})`
}

/** @param leftColumns how many columns are texts; the others are aligned to the right. */
export function aligned(rows: readonly (readonly string[])[], leftColumns: number): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column < leftColumns ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function aimText(aim: Aim): string {
  if (aim === undefined) return ''
  return 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`
}

function isReached(aim: Aim, ratio: number): boolean | undefined {
  if (aim === undefined) return undefined
  return 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost
}

function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toPrecision(3)
}
