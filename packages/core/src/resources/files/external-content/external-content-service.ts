import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { imageFactsOf, imageHeadBytes } from '../../../domain/files/images.js'
import { ChatError } from '../../../errors/index.js'
import type { Clock } from '../../../kernel/clock.js'
import type { MadeKey } from '../../../kernel/limit-keys.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { SharedWork, TooMuchWorkError } from '../../../kernel/shared-work.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { hasTooManyPixels } from '../images/index.js'
import { ExternalContentAddresses } from './external-content-addresses.js'
import { ExternalContentClient } from './external-content-client.js'
import { mediaTypeOf, type MediaType } from './media-types.js'

const maxCacheBytes = 32 * 1024 * 1024
/** The size of an entry in addition to its content, in bytes; failures also have entries. */
const entryBytes = 1024
const keptMilliseconds = 60 * 60 * 1000
const failureKeptMilliseconds = 60 * 1000
const fetchBounds = { maxRunning: 6, maxRunningPerKey: 4, maxWaiting: 60 }

/** A file of another host that is safe to show. */
export interface ExternalFile {
  readonly content: Buffer
  readonly contentType: MediaType
  readonly etag: string
}

/** The result of a fetch; without a file if there is nothing to show. */
interface FetchResult {
  readonly file: ExternalFile | undefined
}

/**
 * Shows pictures, sounds and videos of other hosts, so that readers do not load them there
 * themselves. Each is fetched once for all requests within an hour.
 */
@perServer()
export class ExternalContent {
  readonly #closing = new AbortController()
  readonly #fetching = new Map<string, Promise<FetchResult>>()
  readonly #fetches = new SharedWork(fetchBounds)
  readonly #found: LRUCache<string, FetchResult>

  constructor(
    @inject(ExternalContentAddresses) private readonly addresses: ExternalContentAddresses,
    @inject(ExternalContentClient) private readonly client: ExternalContentClient,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(ClockToken) clock: Clock,
  ) {
    this.#found = new LRUCache({
      maxSize: maxCacheBytes,
      sizeCalculation: ({ file }) => entryBytes + (file?.content.length ?? 0),
      perf: clock,
      // Disables the timer of the cache.
      ttlResolution: 0,
    })
  }

  /**
   * Returns the file of an address.
   *
   * @param client shares the number of fetches with other clients.
   * @param beforeFetch called before a request to another host; may reject.
   * @throws {ChatError} `ROUTE_NOT_FOUND` if the address is not one of the server's own, or there
   *   is nothing that can be shown.
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if too many files are being fetched.
   */
  async require(
    signature: string,
    hex: string,
    client: MadeKey,
    beforeFetch: () => Promise<void>,
  ): Promise<ExternalFile> {
    const url = this.addresses.open(signature, hex)
    if (url === undefined) throw new ChatError('ROUTE_NOT_FOUND')
    const found = this.#found.get(signature)
    const { file } = found ?? (await this.#fetch(signature, url, client, beforeFetch))
    if (file === undefined) throw new ChatError('ROUTE_NOT_FOUND')
    return file
  }

  /** Aborts all fetches; called before the server closes. */
  close(): void {
    this.#closing.abort()
    this.#found.clear()
  }

  async #fetch(
    key: string,
    url: string,
    client: MadeKey,
    beforeFetch: () => Promise<void>,
  ): Promise<FetchResult> {
    if (!this.#fetching.has(key)) await beforeFetch()
    const underWay = this.#fetching.get(key)
    if (underWay !== undefined) return underWay
    const fetching = this.#fetches
      .run(client, async () => this.#load(key, url))
      .catch((error: unknown) => {
        throw error instanceof TooMuchWorkError ? new ChatError('SERVICE_UNAVAILABLE') : error
      })
      .finally(() => this.#fetching.delete(key))
    this.#fetching.set(key, fetching)
    return fetching
  }

  async #load(key: string, url: string): Promise<FetchResult> {
    const found: FetchResult = { file: await this.#loadFile(url) }
    const ttl = found.file === undefined ? failureKeptMilliseconds : keptMilliseconds
    if (!this.#closing.signal.aborted) this.#found.set(key, found, { ttl })
    return found
  }

  async #loadFile(url: string): Promise<ExternalFile | undefined> {
    try {
      const content = await this.client.load(url, this.#closing.signal)
      const contentType = mediaTypeOf(content)
      if (contentType === undefined || isHuge(content)) return undefined
      const digest = createHash('sha256').update(content).digest('base64url')
      return { content, contentType, etag: `"${digest}"` }
    } catch (error) {
      this.logger.debug('Content of another host could not be loaded', { err: error })
      return undefined
    }
  }
}

/** Whether it would exhaust the memory of a client that shows it. */
function isHuge(content: Buffer): boolean {
  const image = imageFactsOf(content.subarray(0, imageHeadBytes))
  return image !== undefined && hasTooManyPixels(image)
}
