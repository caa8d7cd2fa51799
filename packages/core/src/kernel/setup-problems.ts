import { inject } from 'tsyringe'

import type { Logger } from './logger.js'
import { perServer } from './per-server.js'
import { LoggerToken } from './tokens.js'

/** What a product's developer has forgotten or done differently, with the remedy, by code. */
const messages = {
  NO_ORGANIZATION: () =>
    'There is no organization: make one with chat.organizations.ensure() or load(); until then every request is refused',
  SEVERAL_ORGANIZATIONS: () =>
    'There are several organizations, and no resolveOrganization tells which',
  NO_SECRET: () =>
    'The option secret is not set: everybody who reads the database can decrypt what it stores encrypted. Set it to 32 random characters or more, and keep it',
  NO_BASE_URL: () =>
    'The option baseUrl is not set: addresses begin with the Host header of each request. Set it to the address of your server, such as https://product.example',
  ORIGIN_REFUSED: (origin: string, expected: string) =>
    `A write from a page of ${origin} was refused, because the chat is at ${expected}: add that origin to trustedOrigins, or set baseUrl or your framework's trusted proxies if it is the chat's own`,
  TOKEN_REFUSED: (reason: string) =>
    `jwtIdentity refused a token (${reason}): compare its jwks, issuer and audience with the tokens of your login`,
  UPGRADE_NOT_ATTACHED: () =>
    'A WebSocket arrived as an ordinary request: call attachChatUpgrade (attachUpgrade without a framework) with the server that listens',
  UPGRADE_HEADER_MISSING: () =>
    'A WebSocket arrived without the headers Upgrade and Connection: let the proxy pass both on',
  NOT_STARTED: () =>
    'A request arrived before start() was called, and was refused with 503: await chat.start() before the server listens',
  BODY_LOST: () =>
    'Something before the chat has read the body of a request, and passed nothing of it on: mount the chat before it',
  BASE_PATH_MISSING: (mounted: string) =>
    `The chat is mounted at ${mounted}, and does not know it: set the option basePath to '${mounted}'`,
  ORGANIZATION_UNDEFINED: () =>
    'resolveOrganization returned undefined: return the subdomain of the organization, or null if there is none',
  ORGANIZATION_UNKNOWN: (subdomain: string) =>
    `resolveOrganization returned ${JSON.stringify(subdomain.slice(0, 100))}, and no organization has this subdomain: make one with chat.organizations.ensure(), or return another subdomain, or null`,
  FORWARDED_HEADERS_IGNORED: (headers: string) =>
    `A proxy has sent ${headers}, which is not trusted: set your framework's trusted proxies ('trust proxy' of Express, app.proxy of Koa), or baseUrl`,
  CLOCK_DIFFERS: (seconds: number) =>
    `The clock of this process is ${seconds} seconds ${seconds > 0 ? 'before' : 'behind'} that of the database: synchronize both, because all processes of one chat need the same time`,
} as const

type Messages = typeof messages

export type SetupProblemCode = keyof Messages

export const setupProblemCodes: readonly string[] = Object.keys(messages)

/** Something about the setup of the chat that probably is not meant so. */
export interface SetupProblem {
  readonly code: SetupProblemCode
  /** What is wrong, and the remedy. */
  readonly message: string
}

/** Requests can show as many origins as they like. */
const maxMessagesPerCode = 10

/** The problems of the setup that this process has met; each is logged once. */
@perServer()
export class SetupProblems {
  readonly #met = new Map<SetupProblemCode, Set<string>>()

  constructor(@inject(LoggerToken) private readonly logger: Logger) {}

  note<Code extends SetupProblemCode>(code: Code, ...facts: Parameters<Messages[Code]>): void {
    const known = this.#met.get(code) ?? new Set<string>()
    // The facts are those of the code.
    const message = (messages[code] as (...given: typeof facts) => string)(...facts)
    if (known.has(message)) return
    this.#met.set(code, known.add(message))
    if (known.size <= maxMessagesPerCode) this.logger.warn(message, { problem: code })
    // The newest stay, so that requests of others cannot displace those of the product for good.
    const [oldest] = known.size > maxMessagesPerCode ? known : []
    if (oldest !== undefined) known.delete(oldest)
  }

  /** Notes a problem or removes it, as it is now. */
  update<Code extends SetupProblemCode>(
    isMet: boolean,
    code: Code,
    ...facts: Parameters<Messages[Code]>
  ): void {
    if (!isMet) this.#met.delete(code)
    else if (!this.#met.has(code)) this.note(code, ...facts)
  }

  list(): readonly SetupProblem[] {
    return [...this.#met].flatMap(([code, known]) =>
      [...known].map((message) => ({ code, message })),
    )
  }
}
