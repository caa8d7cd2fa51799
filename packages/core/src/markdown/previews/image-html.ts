import type { UploadedFile, UploadedImage } from '../context.js'
import { escapeAttribute } from '../html.js'
import { uploadPath } from '../inline/link-target.js'

const loadingImageUrl = '/static/images/loading/loader-black.svg'
const stillThumbnail = '840x560.webp'
const animatedThumbnail = '840x560-anim.webp'

/** Preview of an image that is not an upload, loaded from `source`. */
export function externalImageHtml(href: string, title: string | undefined, source: string): string {
  return shell(href, title, `<img src="${escapeAttribute(source)}">`)
}

/** Preview of an uploaded image: its thumbnail, or a spinner until there is one. */
export function uploadedImageHtml(
  href: string,
  title: string | undefined,
  { pathId, contentType }: UploadedFile,
  image: UploadedImage,
  organizationUrl: string,
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
  const source = escapeAttribute(uploadPath(`thumbnail/${pathId}/${name}`, organizationUrl))
  return shell(href, title, `<img ${animated}${original}${transcoded} src="${source}">`)
}

function shell(href: string, title: string | undefined, image: string): string {
  const titleAttribute = title === undefined ? '' : ` title="${escapeAttribute(title)}"`
  return `<div class="message_inline_image"><a href="${escapeAttribute(href)}"${titleAttribute}>${image}</a></div>`
}
