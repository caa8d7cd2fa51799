import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { requestedBytes } from '../../../domain/files/byte-ranges.js'
import { ChatError } from '../../../errors/index.js'
import { RateLimiter } from '../../../http/limits/rate-limiter.js'
import { defineOperation, FileReply, type RequestFacts } from '../../../http/operation.js'
import { addressKey } from '../../../kernel/limit-keys.js'
import { perServer } from '../../../kernel/per-server.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { ExternalContent, type ExternalFile } from './external-content-service.js'

export { ExternalContentAddresses } from './external-content-addresses.js'
export {
  ExternalContentRulesToken,
  type ExternalContentOption,
  type ExternalContentRules,
} from './external-content-rules.js'
export { ExternalContent } from './external-content-service.js'

/** Handles requests for content of other hosts. */
@perServer()
class ExternalContentReading {
  constructor(
    @inject(ExternalContent) private readonly content: ExternalContent,
    @inject(RateLimiter) private readonly rateLimiter: RateLimiter,
  ) {}

  /** @throws {ChatError} `RATE_LIMIT_HIT`, or an error of {@link ExternalContent}. */
  async read(request: RequestFacts, signature: string, hex: string): Promise<FileReply> {
    const { organization, remoteAddress, rateLimitHeaders } = request
    if (organization.isDeactivated) throw new ChatError('ROUTE_NOT_FOUND')
    const client = addressKey(remoteAddress)
    const file = await this.content.require(signature, hex, client, () =>
      this.rateLimiter.require(
        'externalContentByAddress',
        organization.id,
        client,
        rateLimitHeaders,
      ),
    )
    return replyOf(file, request)
  }
}

/** No request line is longer: Node.js takes heads of 16 KiB. */
const maxPathLength = 16_384

const readExternalContent = defineOperation({
  id: 'read-external-content',
  summary: 'Get a picture, sound or video of another host, at an address that a message contains.',
  method: 'GET',
  isAtRoot: true,
  path: '/external_content/{signature}/{url}',
  access: 'anyone',
  mediaType: '*/*',
  otherStatuses: [206, 304, 416],
  params: {
    signature: Bounded.name(),
    url: Type.String({ maxLength: maxPathLength, description: 'Hexadecimal.' }),
  },
  response: Type.Object({}),
  errors: ['ROUTE_NOT_FOUND'],
  service: ExternalContentReading,
  handle: (content, { params, request }) => content.read(request, params.signature, params.url),
})

/** The file at the address may change, so it must not be cached forever. */
const caching = 'public, max-age=86400'

function replyOf(
  { content, contentType, etag }: ExternalFile,
  { range, ifNoneMatch }: RequestFacts,
): FileReply {
  const common = { 'Cache-Control': caching, ETag: etag, 'Accept-Ranges': 'bytes' }
  if (ifNoneMatch?.includes(etag) === true) {
    return new FileReply(Buffer.alloc(0), contentType, { status: 304, headers: common })
  }
  const part = requestedBytes(range, content.length)
  if (part === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${content.length}` }
    return new FileReply(Buffer.alloc(0), contentType, { status: 416, headers })
  }
  if (part === undefined) return new FileReply(content, contentType, { headers: common })
  const { start, end } = part
  return new FileReply(content.subarray(start, end), contentType, {
    status: 206,
    headers: { ...common, 'Content-Range': `bytes ${start}-${end - 1}/${content.length}` },
  })
}

export const externalContent = defineResource({
  operations: [readExternalContent],
})
