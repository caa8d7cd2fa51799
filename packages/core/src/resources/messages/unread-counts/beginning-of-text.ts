import { plainTextOf, shortened } from '../../../domain/texts/plain-text.js'

/**
 * The text of a message from the beginning of its HTML.
 *
 * @param maxHtmlLength above it the HTML was cut off.
 * @param maxLength of the text, in characters.
 */
export function beginningOfText(html: string, maxHtmlLength: number, maxLength: number): string {
  if ([...html].length < maxHtmlLength) return shortened(plainTextOf(html), maxLength)
  const text = plainTextOf(withoutPart(html))
  return text.length > maxLength ? shortened(text, maxLength) : `${text}…`
}

/** Removes a tag or a character reference that is cut off at the end. */
function withoutPart(html: string): string {
  const start = html.lastIndexOf('<')
  const ofTags = start > html.lastIndexOf('>') ? html.slice(0, start) : html
  return ofTags.replace(/&[^;\s]{0,40}$/u, '')
}
