import { emojiCodeOfName } from '../../emoji/index.js'
import { wordCharacterLength } from '../characters.js'
import { imageEmojiHtml, standardEmojiHtml } from './emoji-html.js'
import type { InlineScope } from './inline-scope.js'
import { TokenTextBuilder, type TokenText } from './token-text.js'

/** The image emoji that every server has besides its custom ones. */
const extraEmojiName = 'zulip'
const extraEmojiUrl = '/static/generated/emoji/images/emoji/unicode/zulip.png'

/**
 * `:name:` of word characters, `-` and `+`. Custom emoji take precedence over standard ones. An
 * unknown name stays text and its closing colon does not open the next name.
 */
export function replaceEmojiNames(source: TokenText, { context, budget }: InlineScope): TokenText {
  const { text } = source
  const builder = new TokenTextBuilder(source)
  let start = text.indexOf(':')
  while (start !== -1) {
    const nameEnd = endOfName(text, start + 1)
    budget.spend(nameEnd - start)
    const isName = nameEnd > start + 1 && text.charCodeAt(nameEnd) === 0x3a
    if (!isName) {
      start = text.indexOf(':', nameEnd)
      continue
    }
    const html = emojiHtml(text.slice(start + 1, nameEnd), context)
    if (html !== undefined) builder.replace(start, nameEnd + 1, { html })
    start = text.indexOf(':', nameEnd + 1)
  }
  return builder.finish()
}

/** HTML of the emoji called `name`, if there is one. */
export function emojiHtml(name: string, context: InlineScope['context']): string | undefined {
  const custom = context.findCustomEmoji(name)
  if (custom !== undefined) return imageEmojiHtml(name, custom.sourceUrl)
  if (name === extraEmojiName) return imageEmojiHtml(name, extraEmojiUrl)
  const code = emojiCodeOfName(name)
  return code === undefined ? undefined : standardEmojiHtml(name, code)
}

/** The end of the emoji name that begins at `start`. */
export function endOfName(text: string, start: number): number {
  let end = start
  for (;;) {
    const code = text.charCodeAt(end)
    const length = code === 0x2b || code === 0x2d ? 1 : wordCharacterLength(text, end)
    if (length === 0) return end
    end += length
  }
}
