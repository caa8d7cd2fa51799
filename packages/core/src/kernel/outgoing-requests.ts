import { lookup } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

import { isPublicAddress } from './public-addresses.js'

/** A request to a URL that a user has chosen. */
export interface OutgoingRequest {
  /** With the scheme `http:` or `https:`. */
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Hosts, as returned by {@link hostOf}, that may be called although they are not public. */
  readonly privateHosts: ReadonlySet<string>
  /** Aborts the request, also while its body is read. */
  readonly signal: AbortSignal
}

/** Thrown if the host is on this machine or in a private network. */
export class PrivateAddress extends Error {}

/** Thrown if the body of a response is too long. */
export class BodyTooLong extends Error {}

/**
 * Sends a request to a public address over a new connection. The address check is part of the
 * connection's own DNS lookup, so a later DNS answer cannot lead to another address. Redirects are
 * not followed.
 *
 * @throws {PrivateAddress} if the host, or any of its addresses, is not public.
 */
export async function sendRequest({
  url,
  method,
  headers,
  body,
  privateHosts,
  signal,
}: OutgoingRequest): Promise<IncomingMessage> {
  const host = hostOf(url)
  const mayBePrivate = privateHosts.has(host)
  // Names are checked by the connection's lookup; literal addresses have no lookup.
  if (isIP(host) !== 0 && !mayBePrivate && !isPublicAddress(host)) throw new PrivateAddress()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      agent: false,
      lookup: mayBePrivate ? lookup : lookupPublic,
      signal,
    })
    request.once('response', resolve)
    // There can be several, and one without a listener would end the process.
    request.on('error', reject)
    request.end(body)
  })
}

/** @throws {BodyTooLong} after `maxBytes`; the connection is closed. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const body: AsyncIterable<Buffer> = response
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw new BodyTooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The host of a URL in canonical form: lower-case, without brackets and a final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Whether it can be among the private hosts of an option: a name or an address, without a port. */
export function isHostName(value: unknown): value is string {
  return typeof value === 'string' && /^[^/:@\s]+$|^[0-9a-f:.]+$/i.test(value)
}

/** Resolves a name for a connection; fails if one of its addresses is not public. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error !== null || first === undefined) {
      callback(error ?? new Error(`${hostname} has no address`), '', 0)
    } else if (addresses.some(({ address }) => !isPublicAddress(address))) {
      callback(new PrivateAddress(), '', 0)
    } else if (options.all === true) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
