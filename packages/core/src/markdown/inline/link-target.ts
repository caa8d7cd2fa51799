import { isLinkScheme } from './link-schemes.js'

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/
// The URL standard drops tabs and newlines, so they could hide a scheme; other controls are noise.
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/g
const bracketedHost = /^\/\/[^/?#]*/

/**
 * The `href` for the address of a named link, or `undefined` if its scheme is not allowed. An
 * address without a scheme is a path on this server (`/path`, `#fragment`), an e-mail address, or
 * gets `http://`. `''` if it is not a valid address.
 */
export function toHref(address: string): string | undefined {
  const target = address.trim().replace(controls, '').replaceAll(' ', '%20')
  const written = scheme.exec(target)?.[0]
  if (written !== undefined) {
    const name = written.slice(0, -1).toLowerCase()
    if (!isLinkScheme(name)) return undefined
    const rest = target.slice(written.length)
    return hasBrokenHost(rest) ? '' : `${name}:${rest}`
  }
  if (hasBrokenHost(target)) return ''
  const hasHost = target.startsWith('//')
  if (!hasHost && pathOf(target).includes('@')) return `mailto:${target}`
  if (target.startsWith('/') && !hasHost) return target
  if (target.startsWith('#') && target.length > 1) return target
  return `http://${target}`
}

/** No allowed scheme is as long. {@link toHref} decides; this is only a fast check. */
const longestSchemeHead = 64

/** Whether the scheme of the address in `text[start, end)`, if any, is allowed. A fast check. */
export function mayBeAllowed(text: string, start: number, end: number): boolean {
  const head = text.slice(start, Math.min(end, start + longestSchemeHead))
  const written = scheme.exec(head.trimStart().replace(controls, ''))?.[0]
  return written === undefined || isLinkScheme(written.slice(0, -1))
}

const uploadPrefix = 'user_uploads/'

/** Where the organization is on its host. */
interface Site {
  readonly origin: string
  /** Empty at the root of the host; otherwise with a slash at its beginning only. */
  readonly basePath: string
}

export function siteOf(organizationUrl: string): Site {
  const pathStart = organizationUrl.indexOf('/', organizationUrl.indexOf('://') + 3)
  if (pathStart === -1) return { origin: organizationUrl, basePath: '' }
  return {
    origin: organizationUrl.slice(0, pathStart),
    basePath: organizationUrl.slice(pathStart),
  }
}

/** Path of an upload or of a thumbnail; `rest` is the part after `/user_uploads/`. */
export function uploadPath(rest: string, organizationUrl: string): string {
  return `${siteOf(organizationUrl).basePath}/${uploadPrefix}${rest}`
}

/**
 * `href` without the organization's own URL, if it points into the app or to an upload. With a base
 * path, it becomes an absolute path, because clients join links with the origin.
 */
export function toOwnHref(href: string, organizationUrl: string): string {
  const { basePath } = siteOf(organizationUrl)
  if (basePath !== '') return toOwnPath(href, organizationUrl, basePath)
  const ownPrefix = `${organizationUrl}/`
  if (!href.startsWith(ownPrefix)) return href
  const rest = href.slice(ownPrefix.length)
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : href
}

/** Uploads are below the base path; existing clients recognize messages at the root only. */
function toOwnPath(href: string, organizationUrl: string, basePath: string): string {
  const prefix = [organizationUrl, basePath].find((start) => href.startsWith(start)) ?? ''
  const path = href.slice(prefix.length)
  if (path.startsWith(`/${uploadPrefix}`)) return basePath + path
  const [message] = /^\/?#narrow\//.exec(path) ?? []
  return message === undefined ? href : `/#narrow/${path.slice(message.length)}`
}

/** The path id of the upload that `href` refers to, on this server only. */
export function uploadPathIdOf(href: string, organizationUrl: string): string | undefined {
  const { basePath } = siteOf(organizationUrl)
  let path = href
  if (path.startsWith(`${organizationUrl}/`)) path = path.slice(organizationUrl.length)
  else if (path.startsWith(`${basePath}/`)) path = path.slice(basePath.length)
  if (path.startsWith('/')) path = path.slice(1)
  if (!path.startsWith(uploadPrefix)) return undefined
  return pathOf(path).slice(uploadPrefix.length) || undefined
}

/** `address` without its query and fragment. */
export function pathOf(address: string): string {
  const end = address.search(/[?#]/)
  return end === -1 ? address : address.slice(0, end)
}

/** Whether the host has unbalanced square brackets, as a broken IPv6 address does. */
function hasBrokenHost(schemeless: string): boolean {
  const host = bracketedHost.exec(schemeless)?.[0]
  return host !== undefined && host.includes('[') !== host.includes(']')
}

const endOfPathId = /[\s"'<>?#]/
/** Longer than any path id; longer texts are not scanned again for each address in them. */
const longestPathId = 600

/**
 * Path ids of uploads that `source` may link to. The end of an address depends on brackets, so each
 * possible end is listed: with and without closing punctuation.
 */
export function* pathIdsIn(source: string): Generator<string> {
  let start = source.indexOf(uploadPrefix)
  while (start !== -1) {
    const idStart = start + uploadPrefix.length
    const limit = Math.min(source.length, idStart + longestPathId)
    let end = idStart
    while (end < limit && !endOfPathId.test(source.charAt(end))) end += 1
    yield* trimmedEnds(source.slice(idStart, end))
    // Not from the end of the path id: links may follow each other without white space.
    start = source.indexOf(uploadPrefix, idStart)
  }
}

function* trimmedEnds(id: string): Generator<string> {
  let end = id.length
  if (end > 0) yield id
  const bracket = id.indexOf(')')
  if (bracket > 0) yield id.slice(0, bracket)
  while (end > 0 && /[!:;?),.\]*_~`]/.test(id.charAt(end - 1))) end -= 1
  if (end > 0 && end < id.length) yield id.slice(0, end)
}
