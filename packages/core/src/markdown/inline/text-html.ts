import { emojiNamesOfCode } from '../../emoji/index.js'
import { escapeText } from '../html.js'
import { standardEmojiHtml } from './emoji-html.js'
import type { Fragment } from './inline-scope.js'
import { type LinkUse, tokenCode, type TokenText } from './token-text.js'

// The possible emoji of UTS 51, section 1.4.9: flags, then elements with an optional modifier,
// presentation selector, keycap or tags, joined by U+200D.
const element = String.raw`\p{Emoji}(?:\p{Emoji_Modifier}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]+\u{E007F})?`
const possibleEmoji = new RegExp(
  String.raw`\p{Regional_Indicator}{2}|${element}(?:\u200D${element})*`,
  'uy',
)
const defaultPresentation = /^\p{Emoji_Presentation}$/u

/** An emoji sequence in the text; `code` and `name` are absent if it is not in the table. */
interface UnicodeEmoji {
  readonly end: number
  readonly code?: string
  readonly name?: string
}

/**
 * Reads the longest emoji sequence at `start`. A single character that Unicode shows as text by
 * default (such as U+2764 or a digit) is not an emoji.
 */
function readUnicodeEmoji(text: string, start: number): UnicodeEmoji | undefined {
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

const needsWork = /[&<>\n\u0002\u00a9-\uffff]/
const mayBeKeycap = /\uFE0F/
const noLinks: readonly LinkUse[] = []

/**
 * The last inline rules and the output: newlines become hard breaks, Unicode emoji become spans,
 * tokens are inserted and the rest is escaped.
 */
export function toFragment({ text, tokens }: TokenText): Fragment {
  if (!needsWork.test(text)) return { html: text, links: noLinks, bareLink: undefined }
  const links: LinkUse[] = []
  const hasKeycaps = mayBeKeycap.test(text)
  let html = ''
  let textStart = 0
  let nextToken = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === tokenCode) {
      const token = tokens[nextToken]!
      html += escapeText(text.slice(textStart, index)) + token.html
      if (token.links !== undefined) links.push(...token.links)
      nextToken += 1
      textStart = index + 1
    } else if (code === 0x0a) {
      html += `${escapeText(text.slice(textStart, index))}<br>\n`
      textStart = index + 1
    } else if (mayBeginEmoji(code) || (hasKeycaps && text.charCodeAt(index + 1) === 0xfe0f)) {
      const emoji = readUnicodeEmoji(text, index)
      if (emoji === undefined) continue
      if (emoji.name !== undefined && emoji.code !== undefined) {
        html += escapeText(text.slice(textStart, index)) + standardEmojiHtml(emoji.name, emoji.code)
        textStart = emoji.end
      }
      index = emoji.end - 1
    }
  }
  html += escapeText(text.slice(textStart))
  const isOneToken = text.length === 1 && tokens.length === 1
  return { html, links, bareLink: isOneToken ? tokens[0]!.bareLink : undefined }
}

/** Emoji outside ASCII are © and ®, symbols between U+203C and U+3299, or astral characters. */
function mayBeginEmoji(code: number): boolean {
  if (code < 0x203c) return code === 0xa9 || code === 0xae
  if (code <= 0x2b55 || (code >= 0xd83c && code <= 0xd83e)) return true
  return code === 0x3030 || code === 0x303d || code === 0x3297 || code === 0x3299
}
