import type { MarkdownContext } from '../context.js'
import type { PreviewPlan } from '../html-writer.js'
import type { LinkUse } from '../inline/token-text.js'
import type { SideData } from '../rendered-markdown.js'
import { externalImageHtml, uploadedImageHtml } from './image-html.js'
import { toPreviewable, type Previewable } from './previewable.js'
import { videoHtml, youTubeHtml } from './video-html.js'

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
