import { escapeAttribute, escapeText } from '../html.js'

/** HTML of a standard emoji. `code` is dash-separated lower-case hex; the name is shown as typed. */
export function standardEmojiHtml(name: string, code: string): string {
  const title = escapeAttribute(name.replaceAll('_', ' '))
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${escapeText(name)}:</span>`
}

/** HTML of an emoji that is an image: a custom one, or the one extra emoji of the dialect. */
export function imageEmojiHtml(name: string, sourceUrl: string): string {
  const title = escapeAttribute(name.replaceAll('_', ' '))
  const alt = escapeAttribute(`:${name}:`)
  return `<img alt="${alt}" class="emoji" src="${escapeAttribute(sourceUrl)}" title="${title}">`
}
