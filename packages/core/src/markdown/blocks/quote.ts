import { countLeadingSpaces, isBlank } from '../characters.js'

const maxIndent = 3

/** Whether `line` begins with `>` after at most three spaces. */
function isQuoteLine(line: string): boolean {
  const indent = countLeadingSpaces(line)
  return indent <= maxIndent && line.charCodeAt(indent) === 0x3e
}

/** Whether `line` is a `>` with nothing after it. */
export function isEmptyQuoteLine(line: string): boolean {
  return isQuoteLine(line) && isBlank(line, countLeadingSpaces(line) + 1)
}

/**
 * Where the quote in `lines[from, to)` begins: at its first `>` line. `undefined` if there is no
 * such line or no text follows, because a quote of empty lines is not one.
 */
export function findQuoteStart(
  lines: readonly string[],
  from: number,
  to: number,
): number | undefined {
  let start = from
  while (start < to && !isQuoteLine(lines[start]!)) start += 1
  for (let index = start; index < to; index += 1) {
    if (!isEmptyQuoteLine(lines[index]!)) return start
  }
  return undefined
}

/** `line` without one `>` and one space. Lazy continuation lines are returned unchanged. */
export function stripQuoteMark(line: string): string {
  if (!isQuoteLine(line)) return line
  const markEnd = countLeadingSpaces(line) + 1
  const content = line.slice(line.charCodeAt(markEnd) === 0x20 ? markEnd + 1 : markEnd)
  return isBlank(content) ? '' : content
}
