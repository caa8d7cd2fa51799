import { unicodeEmoji } from './unicode-emoji.generated.js'

const noNames: readonly string[] = []

interface EmojiTable {
  readonly codeOfName: ReadonlyMap<string, string>
  readonly namesOfCode: ReadonlyMap<string, readonly string[]>
}

let table: EmojiTable | undefined

/**
 * The code of the Unicode emoji called `name` (`octopus`, `+1`): dash-separated lower-case hex code
 * points without U+FE0F. Names are case-sensitive and have no colons.
 *
 * The names are those of existing chat clients of this wire format (`scripts/emoji-names.txt`). The
 * English short codes of `emojibase-data` 17 add newer emoji and further names unless they
 * conflict. Skin tones are omitted, because these clients do not show them.
 */
export function emojiCodeOfName(name: string): string | undefined {
  return readTable().codeOfName.get(name)
}

/** All names of the emoji with that code, the main one first; empty if there is no such emoji. */
export function emojiNamesOfCode(code: string): readonly string[] {
  return readTable().namesOfCode.get(code) ?? noNames
}

/** The codes of all Unicode emoji, in the order of emoji pickers. */
export function allEmojiCodes(): readonly string[] {
  return [...readTable().namesOfCode.keys()]
}

/** Parsed on first use, because some processes load the library without rendering emoji. */
function readTable(): EmojiTable {
  if (table !== undefined) return table
  const codeOfName = new Map<string, string>()
  const namesOfCode = new Map<string, readonly string[]>()
  for (const line of unicodeEmoji.trim().split('\n')) {
    const [code = '', ...names] = line.split(' ')
    namesOfCode.set(code, names)
    for (const name of names) codeOfName.set(name, code)
  }
  table = { codeOfName, namesOfCode }
  return table
}
