import { createHash } from 'node:crypto'

import { inject, type InjectionToken } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'

/** Writes the document of everything that the server offers, for the origin of its address. */
export type DescribeApi = (origin: string) => object

export const DescribeApiToken: InjectionToken<DescribeApi> = Symbol('DescribeApi')

/** A document as it is sent, with its entity tag. */
export interface WrittenDocument {
  readonly json: Buffer
  readonly etag: string
}

/** The server's own description; written once, when somebody first asks. */
@perServer()
export class ApiDescription {
  #document: WrittenDocument | undefined

  constructor(
    @inject(DescribeApiToken) private readonly describe: DescribeApi,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  document(): WrittenDocument {
    this.#document ??= this.#write()
    return this.#document
  }

  #write(): WrittenDocument {
    // Relative to the document's own address, never the `Host` that a client has sent: a document
    // for each of those would take time and memory.
    const json = Buffer.from(JSON.stringify(this.describe(this.facts.baseUrl ?? '/')))
    const hash = createHash('sha256').update(json).digest('base64url')
    return { json, etag: `"${hash}"` }
  }
}
