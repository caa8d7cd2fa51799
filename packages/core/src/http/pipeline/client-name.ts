import { limits } from '../../domain/limits.js'

/**
 * The name under which messages and event queues record the sending client, at most 30 characters.
 *
 * @param declared the request's `client` parameter, which takes precedence.
 * @param isBrowserSession whether the request is authenticated by the application's session; such a
 *   client is a `website` unless its name begins with Zulip.
 */
export function clientName(
  declared: string | undefined,
  userAgent: string,
  isBrowserSession: boolean,
): string {
  if (declared !== undefined && declared !== '') return shortened(declared)
  const name = productName(userAgent)
  return isBrowserSession && !name.startsWith('Zulip') ? 'website' : shortened(name)
}

/**
 * The product at the start of a `User-Agent`: its first word, and the words after it that have no
 * digit, slash or parenthesis.
 */
function productName(userAgent: string): string {
  if (userAgent === '') return 'Unspecified'
  const firstWordEnd = indexOf(/[ /]/, userAgent, 0)
  let end = indexOf(/[0-9/(]/, userAgent, firstWordEnd)
  if (end < userAgent.length && userAgent[end] !== '/') {
    end = Math.max(firstWordEnd, userAgent.lastIndexOf(' ', end))
  }
  return userAgent.slice(0, end).trim() || 'Unparsable'
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  const index = text.slice(from).search(pattern)
  return index === -1 ? text.length : from + index
}

function shortened(name: string): string {
  return name.length <= limits.maxClientNameLength
    ? name
    : Array.from(name).slice(0, limits.maxClientNameLength).join('')
}
