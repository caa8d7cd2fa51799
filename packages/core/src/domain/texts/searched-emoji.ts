import { emojiCodeOfName } from '../../emoji/index.js'

/** An emoji in a text, as a character or by its name, and the word under which it is indexed. */
export interface SearchedEmoji {
  readonly start: number
  readonly end: number
  readonly word: string
}

const pictograph = String.raw`\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?`
const emoji = new RegExp(
  String.raw`:([\p{L}\p{N}_+-]{1,60}):|\p{Regional_Indicator}{2}|[\d#*]\uFE0F?\u20E3|${pictograph}(?:\u200D${pictograph})*`,
  'gu',
)
/** The characters that do not distinguish emoji: their presentation and skin tones. */
const variants = /\uFE0F|\p{Emoji_Modifier}/gu
/** Words contain no other ASCII characters than letters and digits. */
const fullWidth: Readonly<Record<string, string>> = { '#': '\uFF03', '*': '\uFF0A' }

/** The emoji in a text, such as `🎉` and `:tada:`, which are the same. */
export function emojiIn(text: string): SearchedEmoji[] {
  return Array.from(text.matchAll(emoji), ({ 0: found, 1: name, index }) => ({
    start: index,
    end: index + found.length,
    word: name === undefined ? wordOf(found) : wordOfName(name),
  })).filter(({ word }) => word !== '')
}

function wordOf(characters: string): string {
  return characters
    .replaceAll(variants, '')
    .replaceAll(/[#*]/g, (character) => fullWidth[character] ?? character)
}

function wordOfName(name: string): string {
  const code = emojiCodeOfName(name)
  if (code === undefined) return ''
  return wordOf(String.fromCodePoint(...code.split('-').map((point) => parseInt(point, 16))))
}
