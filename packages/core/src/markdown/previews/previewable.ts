import type { MarkdownContext, UploadedFile } from '../context.js'
import { pathOf, siteOf, uploadPathIdOf } from '../inline/link-target.js'

/** The kind of preview of a link, and its data. */
export type Previewable =
  | {
      readonly kind: 'image' | 'video'
      readonly upload: UploadedFile | undefined
      /** The URL from which clients load it. */
      readonly source: string
    }
  /** Shown as a still image. */
  | { readonly kind: 'youtube'; readonly videoId: string; readonly source: string }

const imagePath = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoPath = /\.(?:mp4|webm)$/i
const httpAddress = /^https?:\/\//i
/**
 * Browsers treat a backslash as a slash, and two of them would begin another host, bypassing the
 * proxy.
 */
const ownPath = /^\/[^/\\]/
const youTubeHost = /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/|youtu\.be\/)/i
const youTubeId = /^[A-Za-z0-9_-]{6,20}$/

/** The possible preview of `href`; `undefined` if it is neither a picture nor a video. */
export function toPreviewable(href: string, context: MarkdownContext): Previewable | undefined {
  const pathId = uploadPathIdOf(href, context.organizationUrl)
  if (pathId !== undefined) return uploadPreview(href, pathId, context)
  const path = pathOf(href)
  const kind = imagePath.test(path) ? 'image' : videoPath.test(path) ? 'video' : undefined
  if (kind !== undefined) {
    const source = toSource(href, context)
    return source === undefined ? undefined : { kind, upload: undefined, source }
  }
  const videoId = readYouTubeId(href)
  if (videoId === undefined) return undefined
  const source = toSource(`https://i.ytimg.com/vi/${videoId}/mqdefault.jpg`, context)
  return source === undefined ? undefined : { kind: 'youtube', videoId, source }
}

/**
 * URL from which clients load the content of `href`: the proxy's for other hosts.
 *
 * @returns undefined if the content is not shown.
 */
export function toSource(
  href: string,
  { organizationUrl, toProxyUrl }: MarkdownContext,
): string | undefined {
  if (ownPath.test(href) || href.startsWith(`${siteOf(organizationUrl).origin}/`)) return href
  return httpAddress.test(href) ? toProxyUrl?.(href) : undefined
}

function uploadPreview(
  href: string,
  pathId: string,
  context: MarkdownContext,
): Previewable | undefined {
  const upload = context.findUpload(pathId)
  if (upload?.image !== undefined) return { kind: 'image', upload, source: href }
  if (upload !== undefined && videoPath.test(pathId)) return { kind: 'video', upload, source: href }
  return undefined
}

function readYouTubeId(href: string): string | undefined {
  const host = youTubeHost.exec(href)?.[0]
  if (host === undefined) return undefined
  const path = pathOf(href).slice(host.length)
  if (host.toLowerCase().endsWith('youtu.be/')) return asVideoId(path)
  const [section, id] = path.split('/')
  if (section === 'shorts' || section === 'embed') return asVideoId(id)
  if (section !== 'watch') return undefined
  const query = href.slice(pathOf(href).length + 1).split('#')[0]!
  for (const pair of query.split('&')) {
    if (pair.startsWith('v=')) return asVideoId(pair.slice(2))
  }
  return undefined
}

function asVideoId(id: string | undefined): string | undefined {
  return id !== undefined && youTubeId.test(id) ? id : undefined
}
