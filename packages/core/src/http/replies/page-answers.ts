import { Readable } from 'node:stream'

import { ChatError } from '../../errors/index.js'
import type { Logger } from '../../kernel/logger.js'
import type { ChatRequest, ChatResponse } from '../chat-request.js'
import type { ChatPage, PageContext } from './chat-page.js'
import { errorResponse, namesEtag } from './envelope.js'

/** Answers requests for the application's page. */
export class PageAnswers {
  readonly #context: PageContext

  constructor(
    private readonly page: ChatPage,
    basePath: string,
    private readonly logger: Logger,
  ) {
    this.#context = { basePath }
  }

  /** Never rejects. @returns undefined if the request is not the page's. */
  async answer(request: ChatRequest): Promise<ChatResponse | undefined> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    try {
      const answer = await this.page.handle(request, this.#context)
      return answer && withoutKnownBody(answer, request.headers['if-none-match'])
    } catch (error) {
      this.logger.error('The page failed', { path: request.path, err: error })
      return errorResponse(new ChatError('INTERNAL_SERVER_ERROR'), undefined)
    }
  }
}

function withoutKnownBody(answer: ChatResponse, ifNoneMatch: string | undefined): ChatResponse {
  const etag = answer.headers['ETag']
  if (answer.status !== 200 || etag === undefined || !namesEtag(ifNoneMatch, etag)) return answer
  if (answer.body instanceof Readable) answer.body.destroy()
  return { status: 304, headers: answer.headers, body: '' }
}
