/** What is longer is not taken for a signature. */
const maxLines = 30
/** After `--`, which people also write between two parts of a text. */
const maxShortLines = 5
const maxWords = 8
/** Of a person, a company and a mailing list. */
const maxSignatures = 3
const maxFormLines = 100

/**
 * Where the signature at the end of a text begins: at `-- `, or at `--` if the rest looks like one.
 * The number of lines if there is none.
 */
export function signatureStart(lines: readonly string[]): number {
  let end = lines.length
  for (let count = 0; count < maxSignatures; count += 1) {
    while (end > 0 && lines[end - 1]?.trim() === '') end -= 1
    const start = lastSignature(lines, end)
    if (start === undefined) break
    end = start
  }
  return end
}

function lastSignature(lines: readonly string[], end: number): number | undefined {
  for (let index = end - 1; index >= Math.max(0, end - maxLines - 1); index -= 1) {
    const line = lines[index] ?? ''
    if (line.startsWith('>')) return undefined
    if (line === '-- ') return index
    if (line === '--') return looksLikeSignature(lines, index, end) ? index : undefined
  }
  return undefined
}

function looksLikeSignature(lines: readonly string[], start: number, end: number): boolean {
  const signature = lines.slice(start + 1, end)
  const before = lines.slice(Math.max(0, start - maxFormLines), start)
  const isShort = (line: string) => line.trim() !== '' && line.split(/\s+/).length <= maxWords
  return (
    signature.length > 0 &&
    signature.length <= maxShortLines &&
    signature.every(isShort) &&
    !/[?!]\s{0,9}$/.test(signature.at(-1) ?? '') &&
    before.some((line) => line.trim() !== '') &&
    !isForm(before)
  )
}

/** Whether a text consists of fields, or of parts that the same line separates. */
function isForm(lines: readonly string[]): boolean {
  return lines.includes('--') || lines.filter((line) => /^\S[^:]{0,30}:/.test(line)).length >= 2
}
