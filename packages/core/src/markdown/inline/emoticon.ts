import { emojiHtml } from './emoji-name.js'
import type { InlineScope } from './inline-scope.js'
import { mayBeEmoticon } from './neighbors.js'
import { TokenTextBuilder, type TokenText } from './token-text.js'

const emojiNameOfEmoticon: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  ['(:', 'smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'neutral'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'grinning'],
  [':o', 'open_mouth'],
  [':O', 'open_mouth'],
  [':p', 'stuck_out_tongue'],
  [':P', 'stuck_out_tongue'],
])

const emoticonLength = 2

/**
 * Emoticons such as `:)` between spaces or punctuation, if the sender's settings translate them.
 */
export function replaceEmoticons(source: TokenText, { context, budget }: InlineScope): TokenText {
  if (!context.settings.translatesEmoticons) return source
  const { text } = source
  const builder = new TokenTextBuilder(source)
  budget.spend(text.length)
  for (let index = 0; index + 1 < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code !== 0x3a && code !== 0x28 && code !== 0x3b && code !== 0x3c) continue
    const end = index + emoticonLength
    const name = emojiNameOfEmoticon.get(text.slice(index, end))
    if (name === undefined || !mayBeEmoticon(text, index, end)) continue
    const html = emojiHtml(name, context)
    if (html === undefined) continue
    builder.replace(index, end, { html })
    index = end - 1
  }
  return builder.finish()
}
