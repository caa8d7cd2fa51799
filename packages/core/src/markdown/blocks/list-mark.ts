/** The mark at the start of a list item. */
export interface ListMark {
  /** Spaces before the mark. */
  readonly indent: number
  readonly isOrdered: boolean
  /** Digits of an ordered mark, as typed; empty for a bullet. */
  readonly number: string
  /** Where the text of the item begins. */
  readonly contentStart: number
}

/** Parses the mark at the start of `line`: a bullet or digits and `.`, then at least one space. */
export function readListMark(line: string): ListMark | undefined {
  let index = 0
  while (line.charCodeAt(index) === 0x20) index += 1
  const indent = index
  let number = ''
  if (isBullet(line.charCodeAt(index))) {
    index += 1
  } else {
    while (isDigit(line.charCodeAt(index))) index += 1
    if (index === indent || line.charCodeAt(index) !== 0x2e) return undefined
    number = line.slice(indent, index)
    index += 1
  }
  const markEnd = index
  while (line.charCodeAt(index) === 0x20) index += 1
  if (index === markEnd) return undefined
  return { indent, isOrdered: number !== '', number, contentStart: index }
}

function isBullet(code: number): boolean {
  return code === 0x2a || code === 0x2b || code === 0x2d
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
