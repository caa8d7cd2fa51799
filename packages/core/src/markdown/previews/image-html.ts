import type { MarkdownContext, UploadedFile, UploadedImage } from '../context.js'
import { escapeAttribute } from '../html.js'

const loadingImageUrl = '/static/images/loading/loader-black.svg'
const stillThumbnail = '840x560.webp'
const animatedThumbnail = '840x560-anim.webp'

/** Preview of an image that lies elsewhere, shown through the image proxy where there is one. */
export function externalImageHtml(
  href: string,
  title: string | undefined,
  context: MarkdownContext,
): string {
  return shell(href, title, `<img src="${escapeAttribute(toSource(href, context))}">`)
}

/** Preview of an uploaded image: its thumbnail, or a spinner until there is one. */
export function uploadedImageHtml(
  href: string,
  title: string | undefined,
  { pathId, contentType }: UploadedFile,
  image: UploadedImage,
): string {
  const type = escapeAttribute(contentType)
  const original = `data-original-content-type="${type}" data-original-dimensions="${image.widthPixels}x${image.heightPixels}"`
  if (!image.isThumbnailed) {
    const html = `<img class="image-loading-placeholder" ${original} src="${loadingImageUrl}">`
    return shell(href, title, html)
  }
  const animated = image.isAnimated ? 'data-animated="true" ' : ''
  const transcoded =
    image.transcodedName === undefined
      ? ''
      : ` data-transcoded-image="${escapeAttribute(image.transcodedName)}"`
  const name = image.isAnimated ? animatedThumbnail : stillThumbnail
  const source = escapeAttribute(`/user_uploads/thumbnail/${pathId}/${name}`)
  return shell(href, title, `<img ${animated}${original}${transcoded} src="${source}">`)
}

/** Address from which a client may load `href`: the proxy's for other hosts. */
export function toSource(href: string, { toProxyUrl }: MarkdownContext): string {
  return toProxyUrl !== undefined && /^https?:/i.test(href) ? toProxyUrl(href) : href
}

function shell(href: string, title: string | undefined, image: string): string {
  const titleAttribute = title === undefined ? '' : ` title="${escapeAttribute(title)}"`
  return `<div class="message_inline_image"><a href="${escapeAttribute(href)}"${titleAttribute}>${image}</a></div>`
}
