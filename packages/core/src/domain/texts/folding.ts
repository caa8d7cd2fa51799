/**
 * Canonical form of a name, topic or address, in which texts that differ only in case are equal.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Replaces unpaired surrogates, which JSON can carry but UTF-8, and so the database, cannot. */
export function toWellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}

/** The length in Unicode code points, the unit of every limit on texts. */
export function codePointLength(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const isHighSurrogate = unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length
    if (isHighSurrogate) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next <= 0xdfff) index += 1
    }
    length += 1
  }
  return length
}

/** The first `count` code points. */
export function takeCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let left = count; left > 0; left -= 1) {
    const codePoint = text.codePointAt(end)
    if (codePoint === undefined) break
    end += codePoint > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
