/** The word before the cursor that suggestions are for. */
export interface Trigger {
  /** `>` is for topics of a channel. */
  readonly kind: '@' | '#' | ':' | '>'
  readonly words: string
  /** The name of the channel. */
  readonly channel?: string
  /** Where it begins in the text. */
  readonly start: number
}

const minEmojiCharacters = 2

/** @returns undefined if the text before the cursor does not ask for any. */
export function triggerOf(textBefore: string): Trigger | undefined {
  const ofTopic =
    /(?:^|[\s([{"'])(#(?:\*\*)?([^\s>*#@`][^>*#@`\n]{0,99})>([^>*#@`\n]{0,99}))$/.exec(textBefore)
  if (ofTopic !== null) {
    const [, whole = '', channel = '', words = ''] = ofTopic
    return { kind: '>', words, channel, start: textBefore.length - whole.length }
  }
  const found = /(?:^|[\s([{"'])([@#:])(_?)(\*{0,2})([^\s@#:*`]*(?: [^\s@#:*`]+)?)$/.exec(
    textBefore,
  )
  if (found === null) return undefined
  const [, sign, silent = '', stars = '', words = ''] = found
  const start = textBefore.length - words.length - stars.length - silent.length - 1
  if (sign === ':') {
    const isShort = words.length < minEmojiCharacters || words.includes(' ') || stars !== ''
    return isShort ? undefined : { kind: ':', words, start }
  }
  return { kind: sign === '@' ? '@' : '#', words: silent + words, start }
}
