import type { MarkdownContext, UploadedFile } from '../context.js'
import { pathOf, uploadPathIdOf } from '../inline/link-target.js'

/** What kind of preview a link can have, and what is needed to show it. */
export type Previewable =
  | { readonly kind: 'image' | 'video'; readonly upload: UploadedFile | undefined }
  | { readonly kind: 'youtube'; readonly videoId: string }

const imagePath = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoPath = /\.(?:mp4|webm)$/i
const httpAddress = /^https?:\/\//i
/** To browsers a backslash is a slash, and two of them begin another host, past the proxy. */
const ownPath = /^\/[^/\\]/
const youTubeHost = /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/|youtu\.be\/)/i
const youTubeId = /^[A-Za-z0-9_-]{6,20}$/

/** What `href` can be previewed as; `undefined` when it is neither picture nor video. */
export function toPreviewable(href: string, context: MarkdownContext): Previewable | undefined {
  const pathId = uploadPathIdOf(href, context.organizationUrl)
  if (pathId !== undefined) return uploadPreview(pathId, context)
  if (!httpAddress.test(href) && !ownPath.test(href)) return undefined
  const path = pathOf(href)
  if (imagePath.test(path)) return { kind: 'image', upload: undefined }
  if (videoPath.test(path)) return { kind: 'video', upload: undefined }
  const videoId = readYouTubeId(href)
  return videoId === undefined ? undefined : { kind: 'youtube', videoId }
}

function uploadPreview(pathId: string, context: MarkdownContext): Previewable | undefined {
  const upload = context.findUpload(pathId)
  if (upload?.image !== undefined) return { kind: 'image', upload }
  if (upload !== undefined && videoPath.test(pathId)) return { kind: 'video', upload }
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
