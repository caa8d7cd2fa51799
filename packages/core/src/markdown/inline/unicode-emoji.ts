import { emojiNamesOfCode } from '../../emoji/index.js'

// The possible emoji of UTS 51, section 1.4.9: flags, then elements with an optional modifier,
// presentation selector, keycap or tags, joined by U+200D.
const element = String.raw`\p{Emoji}(?:\p{Emoji_Modifier}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]+\u{E007F})?`
const possibleEmoji = new RegExp(
  String.raw`\p{Regional_Indicator}{2}|${element}(?:\u200D${element})*`,
  'uy',
)
const defaultPresentation = /^\p{Emoji_Presentation}$/u

/** An emoji sequence in the text; `code` and `name` are absent if it is not in the table. */
export interface UnicodeEmoji {
  readonly end: number
  readonly code?: string
  readonly name?: string
}

/**
 * Reads the longest emoji sequence at `start`. A single character that Unicode shows as text by
 * default (such as U+2764 or a digit) is not an emoji.
 */
export function readUnicodeEmoji(text: string, start: number): UnicodeEmoji | undefined {
  possibleEmoji.lastIndex = start
  const sequence = possibleEmoji.exec(text)?.[0]
  if (sequence === undefined) return undefined
  const end = start + sequence.length
  const points = [...sequence]
  if (points.length === 1 && !defaultPresentation.test(sequence)) return undefined
  const code = points
    .filter((point) => point !== '\uFE0F')
    .map((point) => point.codePointAt(0)!.toString(16).padStart(4, '0'))
    .join('-')
  const name = emojiNamesOfCode(code)[0]
  return name === undefined ? { end } : { end, code, name }
}
