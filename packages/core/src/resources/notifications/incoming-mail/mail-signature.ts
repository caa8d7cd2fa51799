/** Longer texts are not taken for a signature. */
const maxLines = 30
/** After `--`, which people also write between two parts of a text. */
const maxShortLines = 5
const maxWords = 8
/** Of a person, a company and a mailing list. */
const maxSignatures = 3
const maxLinesBefore = 100
const minFields = 2

/**
 * Where the signature at the end of a text begins: at `-- `, or at `--` if the rest looks like one.
 * Without a signature, the number of lines.
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
    if (line !== '-- ' && line !== '--') continue
    const signature = lines.slice(index + 1, end)
    const before = lines.slice(Math.max(0, index - maxLinesBefore), index)
    const isSignature = line === '-- ' || looksLikeSignature(signature, before)
    return isSignature && !haveSameFields(signature, before) ? index : undefined
  }
  return undefined
}

function looksLikeSignature(signature: readonly string[], before: readonly string[]): boolean {
  const isShort = (line: string) => line.trim() !== '' && line.split(/\s+/).length <= maxWords
  return (
    signature.length > 0 &&
    signature.length <= maxShortLines &&
    signature.every(isShort) &&
    !/[?!]\s{0,9}$/.test(signature.at(-1) ?? '') &&
    before.some((line) => line.trim() !== '') &&
    !before.includes('--') &&
    // Such lines also separate the parts of a form.
    fieldsOf(before).size < minFields
  )
}

/** Whether a text goes on with another item of a list, as digests do. */
function haveSameFields(signature: readonly string[], before: readonly string[]): boolean {
  const names = fieldsOf(before)
  return [...fieldsOf(signature)].filter((name) => names.has(name)).length >= minFields
}

function fieldsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => /^\S[^:]{0,30}(?=:)/.exec(line) ?? []))
}
