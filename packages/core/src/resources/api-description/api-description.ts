import { LRUCache } from 'lru-cache'
import { inject, type InjectionToken } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'

/** Writes the document of everything that the server offers, for the origin of its address. */
export type DescribeApi = (origin: string) => object

export const DescribeApiToken: InjectionToken<DescribeApi> = Symbol('DescribeApi')

/** The server's own description; written once per origin that asks. */
@perServer()
export class ApiDescription {
  readonly #documents = new LRUCache<string, string>({ max: 10 })

  constructor(
    @inject(DescribeApiToken) private readonly describe: DescribeApi,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  document(origin: string): string {
    const address = this.facts.baseUrl ?? origin
    let document = this.#documents.get(address)
    if (document === undefined) {
      document = JSON.stringify(this.describe(address))
      this.#documents.set(address, document)
    }
    return document
  }
}
