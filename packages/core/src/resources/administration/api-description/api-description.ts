import { createHash } from 'node:crypto'

import { inject, type InjectionToken } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'

/** Generates the OpenAPI document of everything that the server offers at a URL. */
export type DescribeApi = (serverUrl: string) => object

export const DescribeApiToken: InjectionToken<DescribeApi> = Symbol('DescribeApi')

/** A serialized document with its entity tag. */
export interface WrittenDocument {
  readonly json: Buffer
  readonly etag: string
}

/** The server's own OpenAPI document; generated on the first request for it. */
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
    // Relative to the document's own address, not to the `Host` header of the request: one document
    // for each value of that header would take time and memory.
    const { url, basePath } = this.facts.address
    const json = Buffer.from(JSON.stringify(this.describe(url ?? (basePath || '/'))))
    const hash = createHash('sha256').update(json).digest('base64url')
    return { json, etag: `"${hash}"` }
  }
}
