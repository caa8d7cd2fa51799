import type { MarkdownContext, WebsitePreview } from '../context.js'
import { escapeAttribute, escapeText } from '../html.js'
import { toSource } from './previewable.js'

const httpAddress = /^https?:\/\//i

/** Card of a linked website; `''` if it has no image that may be loaded. */
export function websiteHtml(
  url: string,
  { title, description, imageUrl, videoHtml }: WebsitePreview,
  context: MarkdownContext,
): string {
  if (imageUrl === undefined || !httpAddress.test(imageUrl)) return ''
  const source = toSource(imageUrl, context)
  if (source === undefined) return ''
  const href = escapeAttribute(url)
  const shownTitle = title === undefined ? '' : escapeAttribute(title)
  if (videoHtml !== undefined) {
    const titleAttribute = title === undefined ? '' : ` title="${shownTitle}"`
    return `<div class="embed-video message_inline_image"><a data-id="${escapeAttribute(videoHtml)}" href="${href}"${titleAttribute}><img src="${escapeAttribute(source)}"></a></div>`
  }
  const style = escapeAttribute(`background-image: url("${escapeCssString(source)}")`)
  const heading =
    title === undefined
      ? ''
      : `<div class="message_embed_title"><a href="${href}" title="${shownTitle}">${escapeText(title)}</a></div>`
  const text =
    description === undefined
      ? ''
      : `<div class="message_embed_description">${escapeText(description)}</div>`
  return `<div class="message_embed"><a class="message_embed_image" href="${href}" style="${style}"></a><div class="data-container">${heading}${text}</div></div>`
}

/** Escapes a URL for a CSS string. */
function escapeCssString(text: string): string {
  return text.replace(
    /["'()\\\s<>]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
