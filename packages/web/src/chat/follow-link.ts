import { targetOf, type Target } from '../place.js'
import type { Session } from '../session/session.js'

/**
 * Links to conversations are followed here, not by the page, and those to files with an address
 * that needs no API key.
 *
 * @returns the conversation to show.
 */
export function followLink(event: MouseEvent, session: Session | undefined): Target | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const href = link?.getAttribute('href') ?? ''
  const target = href.startsWith('#') ? targetOf(href) : undefined
  const file =
    target !== undefined || link === null || href === ''
      ? undefined
      : session?.files.openable(new URL(link.href))
  if (target === undefined && file === undefined) return undefined
  event.preventDefault()
  file?.then((address) => window.open(address, '_blank', 'noopener')).catch(() => {})
  return target
}
