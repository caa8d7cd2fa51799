import type { IncomingMessage } from 'node:http'

import { inject } from 'tsyringe'

import { abortedAfter } from '../../../kernel/aborted-work.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { hostOf, readBody, sendRequest } from '../../../kernel/outgoing-requests.js'
import { ExternalContentRulesToken, type ExternalContentRules } from './external-content-rules.js'

/** The maximum size of a file that is loaded from another host, in bytes. */
export const maxContentBytes = 10 * 1024 * 1024
/** From the first DNS lookup to the last byte. */
const timeoutMilliseconds = 10_000
const maxRedirects = 3
/** The usual ports of web servers; other ports may belong to other services. */
const publicPorts: ReadonlySet<string> = new Set(['', '80', '443'])
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The reason why there is no content to show. */
export class ContentUnavailable extends Error {}

/** Loads files from other hosts, without identifying the user who requested them. */
@perServer()
export class ExternalContentClient {
  constructor(
    @inject(ExternalContentRulesToken) private readonly rules: ExternalContentRules,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * @param stopping aborts the requests.
   * @throws {Error} if the file cannot be loaded, is too large, or is not at a public address.
   */
  async load(url: string, stopping: AbortSignal): Promise<Buffer> {
    return abortedAfter(this.clock, timeoutMilliseconds, stopping, async (signal) => {
      signal.throwIfAborted()
      let target = url
      for (let hop = 0; hop <= maxRedirects; hop += 1) {
        const response = await this.#request(target, signal)
        const location = locationOf(response)
        if (location === undefined) return await contentOf(response)
        response.destroy()
        target = new URL(location, target).href
      }
      throw new ContentUnavailable('Too many redirects')
    })
  }

  async #request(target: string, signal: AbortSignal): Promise<IncomingMessage> {
    const url = new URL(target)
    const { protocol, port, username, password } = url
    const isPrivate = this.rules.privateHosts.has(hostOf(url))
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new ContentUnavailable('No web address')
    if (username !== '' || password !== '')
      throw new ContentUnavailable('An address with a password')
    if (!isPrivate && !publicPorts.has(port)) throw new ContentUnavailable('Not a port of the web')
    return sendRequest({
      url,
      method: 'GET',
      headers: {
        accept: 'image/png, image/webp, image/gif, image/jpeg, audio/*, video/*;q=0.9, */*;q=0.1',
        'accept-encoding': 'identity',
        'user-agent': 'Parley (content proxy)',
      },
      privateHosts: this.rules.privateHosts,
      signal,
    })
  }
}

function locationOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return redirects.has(statusCode) ? headers.location : undefined
}

async function contentOf(response: IncomingMessage): Promise<Buffer> {
  const { statusCode, headers } = response
  // Compressed content was not requested, and may expand to any length.
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  if (statusCode === 200 && isPlain && Number(headers['content-length'] ?? 0) <= maxContentBytes) {
    return readBody(response, maxContentBytes)
  }
  response.destroy()
  throw new ContentUnavailable(`Status ${statusCode}, or too long, or compressed`)
}
