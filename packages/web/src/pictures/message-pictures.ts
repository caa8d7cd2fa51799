import type { Message } from '@parley/client'

import { parseHtml } from '../html/parse-html.js'
import { parsedUrl } from '../html/parsed-url.js'
import type { Session } from '../session/session.js'

/** A picture that a message shows. */
export interface Picture {
  readonly messageId: number
  readonly name: string
  /** The address that the message links to. */
  readonly original: URL
  /** The address of a picture that browsers can show, and may load. */
  readonly full: URL
}

/**
 * The pictures of messages, in their order. Those that a spoiler hides are left out, but for the
 * one that the user has opened.
 */
export function picturesOf(
  messages: readonly Message[],
  session: Session,
  isOpened: (picture: Picture) => boolean,
): Picture[] {
  return messages.flatMap(({ id, content }) => {
    if (!content.includes('message_inline_image')) return []
    const links = parseHtml(content).querySelectorAll(
      '.message_inline_image:not(.youtube-video) > a',
    )
    return [...links].flatMap((link) => {
      const picture = pictureOf(id, link, session)
      if (picture === undefined) return []
      return link.closest('.spoiler-content') === null || isOpened(picture) ? [picture] : []
    })
  })
}

function pictureOf(messageId: number, link: Element, session: Session): Picture | undefined {
  const image = link.querySelector('img')
  const base = `${session.url}/`
  const original = parsedUrl(link.getAttribute('href') ?? '', base)
  const shown = parsedUrl(image?.getAttribute('src') ?? '', base)
  if (image === null || original === undefined || shown === undefined) return undefined
  if (!/^https?:$/.test(original.protocol) || !/^https?:$/.test(shown.protocol)) return undefined
  const last = original.pathname.split('/').at(-1) ?? ''
  const name = link.getAttribute('title') ?? decoded(last)
  // Browsers cannot show every format; the server has made a copy of those.
  const { transcodedImage } = image.dataset
  const isOwn = original.origin === new URL(base).origin
  const full =
    transcodedImage !== undefined
      ? new URL(transcodedImage, shown)
      : // Pictures of other hosts come through the server.
        isOwn
        ? original
        : shown
  return { messageId, name, original, full }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
