import { isSpace } from '../characters.js'
import type { Heading } from './tree.js'

const hash = 0x23

/** Whether `line` is a heading: one to six `#` in the first column, then whitespace. */
export function isHeading(line: string): boolean {
  if (line.charCodeAt(0) !== hash) return false
  const level = countHashes(line)
  return level <= 6 && isSpace(line.charCodeAt(level))
}

/** Parses a line for which {@link isHeading} holds. A run of `#` at its very end is dropped. */
export function readHeading(line: string): Heading {
  const level = countHashes(line)
  let end = line.length
  while (end > level + 1 && line.charCodeAt(end - 1) === hash) end -= 1
  return { kind: 'heading', level, source: line.slice(level, end).trim() }
}

function countHashes(line: string): number {
  let count = 0
  while (line.charCodeAt(count) === hash) count += 1
  return count
}
