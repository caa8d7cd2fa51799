import type { MarkdownContext, UploadedFile, UploadedImage } from '../context.js'
import type { PreviewPlan } from '../html-writer.js'
import { escapeAttribute } from '../html.js'
import { uploadPath } from '../inline/link-target.js'
import type { LinkUse } from '../inline/token-text.js'
import type { SideData } from '../rendered-markdown.js'
import { type Previewable, toPreviewable } from './previewable.js'

const loadingImageUrl = '/static/images/loading/loader-black.svg'
const stillThumbnail = '840x560.webp'
const animatedThumbnail = '840x560-anim.webp'

/** Preview of an image that is not an upload, loaded from `source`. */
function externalImageHtml(href: string, title: string | undefined, source: string): string {
  return shell(href, title, `<img src="${escapeAttribute(source)}">`)
}

/** Preview of an uploaded image: its thumbnail, or a spinner until there is one. */
function uploadedImageHtml(
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

function titleAttribute(title: string | undefined): string {
  return title === undefined ? '' : ` title="${escapeAttribute(title)}"`
}

function shell(href: string, title: string | undefined, image: string): string {
  return `<div class="message_inline_image"><a href="${escapeAttribute(href)}"${titleAttribute(title)}>${image}</a></div>`
}

/** Preview of a video file. */
function videoHtml(href: string, title: string | undefined, source: string): string {
  return `<div class="message_inline_image message_inline_video"><a href="${escapeAttribute(href)}"${titleAttribute(title)}><video preload="metadata" src="${escapeAttribute(source)}"></video></a></div>`
}

/** Preview of a YouTube video: its still image, which clients replace by a player. */
function youTubeHtml(href: string, videoId: string, still: string): string {
  return `<div class="youtube-video message_inline_image"><a data-id="${escapeAttribute(videoId)}" href="${escapeAttribute(href)}"><img src="${escapeAttribute(still)}"></a></div>`
}

/** A message with more distinct links to preview than this gets no previews at all. */
const maxPreviews = 24

interface Preview {
  readonly html: string
  /** Whether the preview of a picture or video may replace a link that shows only its address. */
  readonly canReplaceLink: boolean
}

const noPlan: PreviewPlan = { replaces: () => false, previewOf: () => '' }

/**
 * Decides which of `links` (those outside quotes) get a preview: each URL once, at its first
 * occurrence.
 */
export function planPreviews(
  links: readonly LinkUse[],
  context: MarkdownContext,
  sideData: SideData,
): PreviewPlan {
  if (links.length === 0 || !context.settings.previewsImages) return noPlan
  const firstUses = new Map<string, LinkUse>()
  for (const link of links) {
    if (!firstUses.has(link.href)) firstUses.set(link.href, link)
  }

  const previews = new Map<LinkUse, Preview>()
  const pending: string[] = []
  for (const [href, link] of firstUses) {
    const previewable = toPreviewable(href, context)
    if (previewable === undefined) continue
    previews.set(link, toPreview(link, previewable, context.organizationUrl))
    const pathId = pendingPathId(previewable)
    if (pathId !== undefined) pending.push(pathId)
  }
  if (previews.size > maxPreviews) return noPlan

  for (const upload of pending) sideData.pendingThumbnailPathIds.add(upload)
  sideData.hasImage = previews.size > 0
  return {
    replaces: (link) => link.title === undefined && previews.get(link)?.canReplaceLink === true,
    previewOf: (link) => previews.get(link)?.html ?? '',
  }
}

function toPreview(
  { href, title }: LinkUse,
  previewable: Previewable,
  organizationUrl: string,
): Preview {
  const { source } = previewable
  if (previewable.kind === 'youtube') {
    return { html: youTubeHtml(href, previewable.videoId, source), canReplaceLink: false }
  }
  const { kind, upload } = previewable
  if (kind === 'video') return { html: videoHtml(href, title, source), canReplaceLink: true }
  const html =
    upload?.image === undefined
      ? externalImageHtml(href, title, source)
      : uploadedImageHtml(href, title, upload, upload.image, organizationUrl)
  return { html, canReplaceLink: true }
}

/** The upload that is shown as a spinner, if `previewable` is such an upload. */
function pendingPathId(previewable: Previewable): string | undefined {
  if (previewable.kind === 'youtube') return undefined
  const { upload } = previewable
  return upload?.image?.isThumbnailed === false ? upload.pathId : undefined
}
