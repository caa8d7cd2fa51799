import type { Actor } from '../../domain/users/actor.js'
import { ChatError } from '../../errors/index.js'
import type { Logger } from '../../kernel/logger.js'
import { english, type Translator } from '../../texts/index.js'
import type { ChatRequest, ChatResponse } from '../chat-request.js'
import type { RateLimitHeaders } from '../limits/rate-limiter.js'
import { FileReply, type Operation } from '../operation.js'
import type { LanguageSettings, Organization } from '../ports.js'
import { errorResponse, fileResponse } from '../replies/envelope.js'
import { prefersHtml } from '../replies/prefers-html.js'

/** A request that has failed, and its organization and actor as far as they are known. */
export interface FailedRequest {
  readonly request: ChatRequest
  readonly organization?: Organization | undefined
  readonly actor?: Actor | undefined
}

interface Dependencies {
  readonly logger: Logger
  readonly translator: Translator
  readonly languages: LanguageSettings
  /** The message to log if an error says that the database is unavailable; undefined for others. */
  readonly unavailabilityOf: (error: unknown) => string | undefined
}

/** Makes the response of a request that has failed, and logs unexpected errors. */
export class FailureAnswers {
  constructor(private readonly dependencies: Dependencies) {}

  answer(
    error: unknown,
    operation: Operation,
    limitHeaders: RateLimitHeaders,
    failed: FailedRequest,
  ): ChatResponse | Promise<ChatResponse> {
    const failure = this.failureOf(error, operation)
    if (operation.errorPage === undefined) {
      return this.refuse(failure, limitHeaders.headers, failed)
    }
    return this.#answerVisit(failure, operation, limitHeaders, failed)
  }

  async #answerVisit(
    failure: ChatError,
    operation: Operation,
    limitHeaders: RateLimitHeaders,
    failed: FailedRequest,
  ): Promise<ChatResponse> {
    const { translator } = this.dependencies
    const { request, organization } = failed
    // The language of the page before the error does not depend on the caller either.
    const locale = translator.isOn ? await this.#languageOf({ request, organization }) : english
    const page = operation.errorPage?.(failure, {
      writer: translator.writerIn(locale),
      prefersHtml: prefersHtml(request.headers.accept),
    })
    if (page === undefined) return this.refuse(failure, limitHeaders.headers, failed)
    const headers = { ...limitHeaders.headers, ...failure.headers, ...page.options.headers }
    return fileResponse(
      new FileReply(page.content, page.contentType, { status: failure.status, headers }),
    )
  }

  /** The response with an error, in the language of its caller. */
  refuse(
    error: ChatError,
    headers: Readonly<Record<string, string>> | undefined,
    failed: FailedRequest,
  ): ChatResponse | Promise<ChatResponse> {
    const { text } = error
    if (text === undefined || !this.dependencies.translator.isOn) {
      return errorResponse(error, headers)
    }
    return this.#languageOf(failed).then((locale) => {
      const msg = this.dependencies.translator.textOf(text, locale)
      return errorResponse(error, headers, { locale, msg })
    })
  }

  /** The first available language: of the caller, of the request, of the organization, English. */
  async #languageOf({ request, organization, actor }: FailedRequest): Promise<string> {
    const { translator, languages, logger } = this.dependencies
    try {
      const own = actor && (await languages.ofUser(actor))
      if (own !== undefined && translator.has(own)) return own
      const preferred = translator.preferredBy(request.headers['accept-language'])
      if (preferred !== undefined) return preferred
      const shared = organization && (await languages.ofOrganization(organization.id))
      return shared !== undefined && translator.has(shared) ? shared : english
    } catch (err) {
      // The error itself may be that the database is unavailable.
      logger.debug('The language of an error cannot be read', { err })
      return english
    }
  }

  /** Converts any error into the one that the client gets; logs it if it is not a `ChatError`. */
  failureOf(error: unknown, operation: Operation): ChatError {
    if (error instanceof ChatError) return error
    const { logger } = this.dependencies
    const unavailability = this.dependencies.unavailabilityOf(error)
    if (unavailability !== undefined) {
      logger.warn(unavailability, { operation: operation.id, err: error })
      return new ChatError('SERVICE_UNAVAILABLE')
    }
    logger.error('An operation failed', { operation: operation.id, err: error })
    return new ChatError('INTERNAL_SERVER_ERROR')
  }
}
