import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'

import { WebSocket } from 'ws'

import { within } from '../support/waiting.js'

/** A browser with a page of `pageOrigin`: it keeps cookies, and says where its requests come from. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  constructor(
    readonly origin: string,
    readonly pageOrigin = origin,
  ) {}

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Sends the cookies of another one, as browsers do with requests of pages of any site. */
  stealCookies({ cookie }: Browser): void {
    for (const pair of cookie.split('; ')) this.#keep(pair)
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookie !== '') headers.set('cookie', this.cookie)
    const isSameOrigin = this.origin === this.pageOrigin
    headers.set('sec-fetch-site', isSameOrigin ? 'same-origin' : 'cross-site')
    const sendsOrigin = !isSameOrigin || !['GET', 'HEAD'].includes(init.method ?? 'GET')
    if (sendsOrigin) headers.set('origin', this.pageOrigin)
    const response = await fetch(this.origin + path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** Opens a WebSocket for events. @returns the status of the response if it is refused. */
  async open(query = 'event_types=["message"]'): Promise<WebSocket | number> {
    const { cookie, pageOrigin: origin } = this
    const socket = new WebSocket(`${this.origin.replace('http', 'ws')}/api/v1/events?${query}`, {
      origin,
      headers: cookie === '' ? {} : { cookie },
    })
    const answered = new Promise<WebSocket | number>((resolve, reject) => {
      socket.once('open', () => resolve(socket))
      socket.once('error', reject)
      socket.once('unexpected-response', (request, { statusCode }: IncomingMessage) => {
        request.destroy()
        resolve(statusCode ?? 0)
      })
    })
    return within('the response to an upgrade', answered)
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const [name, value] = splitOnce(pair, '=')
    const isOver = attributes.some((attribute) => {
      const [key, given] = splitOnce(attribute.trim(), '=')
      if (key.toLowerCase() === 'max-age') return Number(given) <= 0
      return key.toLowerCase() === 'expires' && Date.parse(given) <= Date.now()
    })
    if (isOver) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** The next frame of a WebSocket, parsed. */
export async function frameOf(socket: WebSocket): Promise<{ events: { type: string }[] }> {
  const [data] = (await within('a frame', once(socket, 'message'))) as [Buffer]
  return JSON.parse(data.toString('utf8'))
}
