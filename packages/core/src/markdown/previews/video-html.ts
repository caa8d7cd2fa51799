import { escapeAttribute } from '../html.js'

/** Preview of a video file. */
export function videoHtml(href: string, title: string | undefined, source: string): string {
  const titleAttribute = title === undefined ? '' : ` title="${escapeAttribute(title)}"`
  return `<div class="message_inline_image message_inline_video"><a href="${escapeAttribute(href)}"${titleAttribute}><video preload="metadata" src="${escapeAttribute(source)}"></video></a></div>`
}

/** Preview of a YouTube video: its still image, which clients replace by a player. */
export function youTubeHtml(href: string, videoId: string, still: string): string {
  return `<div class="youtube-video message_inline_image"><a data-id="${escapeAttribute(videoId)}" href="${escapeAttribute(href)}"><img src="${escapeAttribute(still)}"></a></div>`
}
