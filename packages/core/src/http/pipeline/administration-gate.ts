import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

import { hasRole, Role, type Actor } from '../../domain/users/actor.js'
import { ChatError } from '../../errors/index.js'
import { canonicalAddress } from '../../kernel/client-address.js'
import type { ChatRequest } from '../chat-request.js'
import type { Operation } from '../operation.js'

/**
 * The addresses from which owners and administrators may administer: IP addresses and networks in
 * CIDR notation, or a function of the request and the client's address.
 */
export type AdministrationAddresses =
  | readonly string[]
  | ((request: IncomingMessage, clientAddress: string) => boolean | Promise<boolean>)

/** Whether an operation is an administrative one. */
export function isAdministrative(
  operation: Pick<Operation, 'access' | 'isAdministrative'>,
): boolean {
  const { access } = operation
  return access === 'administrator' || access === 'owner' || operation.isAdministrative === true
}

/** Whether a text is an IP address, or a network in CIDR notation. */
export function isAddressRange(text: unknown): text is string {
  return typeof text === 'string' && rangeOf(text) !== undefined
}

/** Restricts the addresses from which owners and administrators may administer. */
export class AdministrationGate {
  /** Only `true` allows the request; any other result of an application's function does not. */
  readonly #isAllowed: (request: ChatRequest) => unknown

  /** @param addresses a list must have been checked with {@link isAddressRange}. */
  constructor(addresses: AdministrationAddresses) {
    if (typeof addresses === 'function') {
      this.#isAllowed = ({ raw, remoteAddress }) =>
        addresses(raw, canonicalAddress(remoteAddress) ?? remoteAddress)
      return
    }
    const allowed = blockListOf(addresses)
    this.#isAllowed = ({ remoteAddress }) => {
      const address = canonicalAddress(remoteAddress)
      return address !== undefined && allowed.check(address, familyOf(address))
    }
  }

  /** @throws {ChatError} `ADDRESS_NOT_ALLOWED` if `actor` may not administer from there. */
  async require(
    operation: Operation,
    actor: Actor | undefined,
    request: ChatRequest,
  ): Promise<void> {
    if (actor === undefined || !isAdministrative(operation)) return
    if (!hasRole(actor, Role.administrator)) return
    if ((await this.#isAllowed(request)) !== true) throw new ChatError('ADDRESS_NOT_ALLOWED')
  }
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of ranges) {
    const range = rangeOf(text)
    if (range === undefined) throw new TypeError(`${text} is not an address or a network`)
    list.addSubnet(range.network, range.bits, familyOf(range.network))
  }
  return list
}

interface AddressRange {
  readonly network: string
  readonly bits: number
}

function rangeOf(text: string): AddressRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const network = canonicalAddress(address)
  if (network === undefined || address.includes('%') || rest.length > 0) return undefined
  const mostBits = isIP(address) === 4 ? 32 : 128
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined
  const prefixLength = prefix === undefined ? mostBits : Number(prefix)
  // A network of IPv4 addresses that are mapped into IPv6.
  const bits = isIP(address) === 6 && isIP(network) === 4 ? prefixLength - 96 : prefixLength
  return bits >= 0 && prefixLength <= mostBits ? { network, bits } : undefined
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
