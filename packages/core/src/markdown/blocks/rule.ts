import { countLeadingSpaces } from '../characters.js'

/**
 * Whether `line` is a horizontal rule: up to three spaces, then three or more `*`, `-` or `_` of
 * one kind with spaces between or after them.
 */
export function isRule(line: string): boolean {
  const indent = countLeadingSpaces(line)
  if (indent > 3) return false
  const mark = line.charCodeAt(indent)
  if (mark !== 0x2a && mark !== 0x2d && mark !== 0x5f) return false
  let marks = 0
  for (let index = indent; index < line.length; index += 1) {
    const code = line.charCodeAt(index)
    if (code === mark) marks += 1
    else if (code !== 0x20) return false
  }
  return marks >= 3
}
