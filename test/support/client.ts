import { request, type Agent, type ClientRequest, type IncomingHttpHeaders } from 'node:http'

import { requireDocumented } from './documented-answers.js'
import { EventFeed, type ListenOptions } from './event-feed.js'
import type { UncheckedJson } from './unchecked-json.js'
import type { BodyOf } from './answer-types.js'
import { within } from './waiting.js'

/** In real time, polls without events are answered after 55 seconds at most. */
const requestSeconds = 60

/** Values other than texts are sent as JSON, as clients of the API do. */
export type Parameters = Readonly<Record<string, unknown>>

export interface Answer<Body = UncheckedJson> {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The parsed body; undefined if it is not JSON. */
  readonly body: Body
  readonly text: string
}

export interface Credentials {
  readonly email: string
  readonly apiKey: string
}

export interface Endpoint {
  readonly origin: string
  /** Where the chat is at the origin; empty for its root. @default '' */
  readonly basePath?: string
  readonly agent: Agent
  /** Identifies the organization to the host. */
  readonly subdomain: string
}

/** A client of one user, over real HTTP. */
export class Client {
  constructor(
    readonly endpoint: Endpoint,
    public credentials: Credentials | undefined,
    /** The user's id; 0 for a client without credentials. */
    readonly id: number,
    readonly name: string,
  ) {}

  get email(): string {
    return this.credentials?.email ?? ''
  }

  get<const Path extends string>(
    path: Path,
    params: Parameters = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<BodyOf<'GET', Path>>> {
    const query = encode(params)
    return this.send('GET', query === '' ? path : `${path}?${query}`, undefined, headers)
  }

  post<const Path extends string>(
    path: Path,
    params: Parameters = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<BodyOf<'POST', Path>>> {
    return this.send('POST', path, encode(params), headers)
  }

  patch<const Path extends string>(
    path: Path,
    params: Parameters = {},
  ): Promise<Answer<BodyOf<'PATCH', Path>>> {
    return this.send('PATCH', path, encode(params))
  }

  delete<const Path extends string>(
    path: Path,
    params: Parameters = {},
  ): Promise<Answer<BodyOf<'DELETE', Path>>> {
    return this.send('DELETE', path, encode(params))
  }

  /** Registers a queue and returns its events. */
  async listen(options: ListenOptions = {}): Promise<EventFeed> {
    return EventFeed.register(this, options)
  }

  /** Sends a message to a channel. @returns its id. */
  async say(channelId: number, topic: string, content: string): Promise<number> {
    const answer = await this.post('/messages', { type: 'channel', to: channelId, topic, content })
    if (answer.status !== 200) throw new Error(`Sending failed: ${answer.text}`)
    return answer.body.id
  }

  /** Sends a direct message. @returns its id. */
  async whisper(to: readonly Client[], content: string): Promise<number> {
    const params = { type: 'direct', to: to.map(({ id }) => id), content }
    const answer = await this.post('/messages', params)
    if (answer.status !== 200) throw new Error(`Sending failed: ${answer.text}`)
    return answer.body.id
  }

  /** Starts a GET that a test aborts; its response is not read. */
  open(path: string, params: Parameters = {}): ClientRequest {
    const { agent, subdomain } = this.endpoint
    const outgoing = request(`${apiOf(this.endpoint)}${path}?${encode(params)}`, {
      agent,
      headers: { 'x-organization': subdomain, ...this.authorization() },
    })
    outgoing.on('error', () => {})
    outgoing.end()
    return outgoing
  }

  /** Sends any request; `body` is form data unless `headers` contains another type. */
  async send(
    method: string,
    path: string,
    body?: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { agent, subdomain } = this.endpoint
    const answered = new Promise<Answer>((resolve, reject) => {
      const outgoing = request(
        apiOf(this.endpoint) + path,
        {
          method,
          agent,
          headers: {
            'x-organization': subdomain,
            'user-agent': 'ParleyTests/1.0',
            ...this.authorization(),
            ...(body === undefined
              ? {}
              : {
                  'content-type': 'application/x-www-form-urlencoded',
                  'content-length': String(Buffer.byteLength(body)),
                }),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              body: parsed(text),
            })
          })
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
    const answer = await within(`the response to ${method} ${path} for ${this.name}`, answered, {
      seconds: requestSeconds,
    })
    requireDocumented(method, `/api/v1${path}`, answer)
    return answer
  }

  authorization(): Record<string, string> {
    if (this.credentials === undefined) return {}
    const { email, apiKey } = this.credentials
    return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` }
  }
}

/** URL of the API. */
export function apiOf({ origin, basePath = '' }: Endpoint): string {
  return `${origin}${basePath}/api/v1`
}

export function encode(params: Parameters): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    search.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return search.toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
