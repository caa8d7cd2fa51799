import { BlockList, isIP } from 'node:net'

/**
 * The ranges that the registries of special-purpose addresses (RFC 6890 and later) list as not
 * global.
 */
const specialIpv4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  specialIpv4.addSubnet(network, bits, 'ipv4')
}

/** All other ranges are local, special, or contain IPv4 addresses. */
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

const specialIpv6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  specialIpv6.addSubnet(network, bits, 'ipv6')
}

/** Whether an IP address belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !specialIpv4.check(address, 'ipv4')
  if (family === 6) return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
  return false
}
