import { lookup } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { inject } from 'tsyringe'

import type { Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import { OutgoingWebhookRulesToken, type OutgoingWebhookRules } from './outgoing-webhook-rules.js'
import { isPublicAddress } from './public-addresses.js'

/** For everything from the search for the address to the last byte of the answer. */
const timeoutMilliseconds = 15_000
const maxAnswerBytes = 256 * 1024
const userAgent = 'ZulipOutgoingWebhook/11.0'

/** What is to be sent. */
export interface WebhookRequest {
  readonly url: string
  readonly contentType: string
  readonly body: string
}

/** What came of it. */
export type WebhookOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'timeout' | 'unreachable' | 'private' | 'tooLong' | 'stopped' }

class PrivateAddress extends Error {}
class AnswerTooLong extends Error {}

/**
 * Calls addresses that users have chosen: only public ones, and others that the application has
 * named. Redirects are not followed.
 */
@perServer()
export class WebhookClient {
  constructor(
    @inject(OutgoingWebhookRulesToken) private readonly rules: OutgoingWebhookRules,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** @param stopping ends the call at once. */
  async post(request: WebhookRequest, stopping: AbortSignal): Promise<WebhookOutcome> {
    const timeout = new AbortController()
    const timer = this.clock.setTimeout(() => timeout.abort(), timeoutMilliseconds)
    try {
      const response = await this.#send(request, AbortSignal.any([stopping, timeout.signal]))
      const body = await read(response)
      return { kind: 'answered', status: response.statusCode ?? 0, body }
    } catch (error) {
      if (stopping.aborted) return { kind: 'stopped' }
      if (timeout.signal.aborted) return { kind: 'timeout' }
      if (error instanceof PrivateAddress) return { kind: 'private' }
      if (error instanceof AnswerTooLong) return { kind: 'tooLong' }
      return { kind: 'unreachable' }
    } finally {
      timer.cancel()
    }
  }

  async #send(
    { url, contentType, body }: WebhookRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const target = new URL(url)
    const host = hostOf(target)
    const mayBePrivate = this.rules.privateHosts.has(host)
    // A name is looked up by what connects; an address is not.
    if (isIP(host) !== 0 && !mayBePrivate && !isPublicAddress(host)) throw new PrivateAddress()
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      const request = send(target, {
        method: 'POST',
        headers: {
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
          'user-agent': userAgent,
        },
        agent: false,
        lookup: mayBePrivate ? lookup : lookupPublic,
        signal,
      })
      request.once('response', resolve)
      request.once('error', reject)
      request.end(body)
    })
  }
}

/** The host of a URL as it is compared: lower-case, without brackets and a final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Finds the addresses of a name, unless one of them is not public: these are connected to. */
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

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new AnswerTooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
