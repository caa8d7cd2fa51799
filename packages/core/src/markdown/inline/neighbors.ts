import { isSpace } from '../characters.js'

const addressNeighbors = new Set(`'"(,:<`)
const mentionNeighbors = new Set(`'"({[/<`)
const emoticonNeighbors = new Set(`,.;?!()[]"'`)

/** Whether an address or a linkifier match may begin at `index`. */
export function mayBeginAddress(text: string, index: number): boolean {
  return isBoundary(text, index - 1, addressNeighbors)
}

/** Whether a mention or a channel link may begin at `index`. */
export function mayBeginMention(text: string, index: number): boolean {
  return isBoundary(text, index - 1, mentionNeighbors)
}

/** Whether `[start, end)` may be an emoticon. */
export function mayBeEmoticon(text: string, start: number, end: number): boolean {
  return isBoundary(text, start - 1, emoticonNeighbors) && isBoundary(text, end, emoticonNeighbors)
}

function isBoundary(text: string, index: number, allowed: ReadonlySet<string>): boolean {
  if (index < 0 || index >= text.length) return true
  return isSpace(text.charCodeAt(index)) || allowed.has(text[index]!)
}
