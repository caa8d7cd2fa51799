const WORD = 1
const SPACE = 2

const asciiClasses = new Uint8Array(128)
for (let code = 0; code < 128; code += 1) {
  const isDigit = code >= 0x30 && code <= 0x39
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  if (isDigit || isLetter || code === 0x5f) asciiClasses[code] = WORD
  // U+001C to U+001F count as whitespace in the dialect, as they do in Python's `str.isspace`.
  if ((code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20)) asciiClasses[code] = SPACE
}

const wordCharacter = /[\p{L}\p{N}_]/u
const letterOrMark = /[\p{L}\p{N}\p{M}_]/u

/** Whether the UTF-16 unit `code` is whitespace, as Unicode (and the dialect) counts it. */
export function isSpace(code: number): boolean {
  if (code < 128) return asciiClasses[code] === SPACE
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** Whether a letter, digit or underscore of any script starts at `index`; false past the end. */
export function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 128) return asciiClasses[code] === WORD
  const point = text.codePointAt(index)
  return point !== undefined && wordCharacter.test(String.fromCodePoint(point))
}

/** Whether a letter, digit or underscore of any script ends right before `index`. */
export function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false
  const code = text.charCodeAt(index - 1)
  if (code < 128) return asciiClasses[code] === WORD
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff
  return isWordAt(text, isLowSurrogate && index > 1 ? index - 2 : index - 1)
}

/**
 * Length in UTF-16 units of the label character at `index`: a word character, a combining mark
 * (native-script top-level domains need them) or `-`. 0 for any other character.
 */
export function labelCharacterLength(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code < 128) return asciiClasses[code] === WORD || code === 0x2d ? 1 : 0
  const point = text.codePointAt(index)
  if (point === undefined || !letterOrMark.test(String.fromCodePoint(point))) return 0
  return point > 0xffff ? 2 : 1
}

/** Length in UTF-16 units of the word character at `index`; 0 if it is not a word character. */
export function wordCharacterLength(text: string, index: number): number {
  if (!isWordAt(text, index)) return 0
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}

/** Whether `text[start, end)` is only whitespace; true if it is empty. */
export function isBlank(text: string, start = 0, end = text.length): boolean {
  for (let index = start; index < end; index += 1) {
    if (!isSpace(text.charCodeAt(index))) return false
  }
  return true
}

/** Number of leading U+0020 of `line`. */
export function countLeadingSpaces(line: string): number {
  let count = 0
  while (line.charCodeAt(count) === 0x20) count += 1
  return count
}
