import { isIP } from 'node:net'

/**
 * Canonical form of an IP address: an IPv4 address that is mapped into IPv6 (`::ffff:192.0.2.1`) as
 * IPv4, an IPv6 address as in RFC 5952, without its zone.
 *
 * @returns undefined if `address` is not an IP address.
 */
export function canonicalAddress(address: string): string | undefined {
  const withoutZone = address.split('%', 1)[0] ?? ''
  const family = isIP(withoutZone)
  if (family === 0) return undefined
  if (family === 4) return withoutZone
  const canonical = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (mapped === null) return canonical
  return [mapped[1], mapped[2]]
    .map((text) => Number.parseInt(text ?? '', 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.')
}

/**
 * Key of one client in limits by address: an IPv4 address, or the first 64 bits of an IPv6 address,
 * because one client has all addresses with this prefix.
 */
export function addressGroup(address: string): string {
  const canonical = canonicalAddress(address)
  if (canonical === undefined) return 'unknown'
  if (isIP(canonical) === 4) return canonical
  const [head = '', tail = ''] = canonical.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = canonical.includes('::') ? 8 - first.length - last.length : 0
  const parts = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  return `${parts.slice(0, 4).join(':')}::/64`
}
