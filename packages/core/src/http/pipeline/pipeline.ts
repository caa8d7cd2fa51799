import { actorOfCall, isSpectator, type Actor } from '../../domain/users/actor.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { ChatAddress } from '../../kernel/chat-address.js'
import { codeOf } from '../../kernel/telemetry/error-code.js'
import type { OperationMessage } from '../../kernel/telemetry/spans.js'
import { Telemetry } from '../../kernel/telemetry/telemetry.js'
import { BodyBudget, type BodyShare } from '../bodies/body-budget.js'
import { limitsFor, readForm, readQuery, type BodyLimits } from '../bodies/body.js'
import { uploadPlan } from '../bodies/upload-plan.js'
import type { UploadedFile } from '../bodies/uploaded-file.js'
import type { ChatRequest, ChatResponse } from '../chat-request.js'
import { RateLimitHeaders } from '../limits/rate-limiter.js'
import { countRequest } from '../limits/request-limits.js'
import { mayChangeState, type Operation, type OperationContext } from '../operation.js'
import type { FormFields } from '../parameters/form-fields.js'
import {
  decoderOf,
  type ParameterDecoder,
  type PathTexts,
} from '../parameters/parameter-decoder.js'
import { SchemaCompiler } from '../parameters/schema-compiler.js'
import { noOrganization, type Organization, type TicketUse } from '../ports.js'
import { allowResponse, errorResponse } from '../replies/envelope.js'
import { PageAnswers } from '../replies/page-answers.js'
import { ResponseCheck } from '../replies/response-check.js'
import { resultResponse } from '../replies/result-response.js'
import { UnreadAnswers } from '../replies/unread-answers.js'
import { requireAccess, requireEnabled } from './access.js'
import { AdministrationGate } from './administration-gate.js'
import { withoutPrompt } from './browser-requests.js'
import { Callers } from './callers.js'
import { chatUrls } from './chat-url.js'
import { CrossOrigin } from './cross-origin.js'
import { FailureAnswers } from './failure-answers.js'
import { OperationDispatcher } from './operation-dispatcher.js'
import type { HttpPipelineDependencies } from './pipeline-options.js'
import { callOriginOf, LazyRequestFacts, type ChatUrlOf } from './request-facts.js'
import { pathParameterNames, Router, type RouteMatch } from './router.js'
import { SetupSigns } from './setup-signs.js'
import { traceRequest } from './traced-operations.js'

interface Route {
  readonly operation: Operation
  readonly decoder: ParameterDecoder
  service: unknown
}

const mebibyte = 1024 * 1024
const noFiles: readonly UploadedFile[] = []

/** The stages of every request: route, credentials, limits, parameters, operation, envelope. */
export class HttpPipeline {
  readonly #dependencies: HttpPipelineDependencies
  readonly #router: Router<Route>
  readonly #disabled: ReadonlySet<string>
  readonly #callers: Callers
  readonly #limits: Omit<BodyLimits, 'share'>
  readonly #bodyBudget: BodyBudget
  readonly #administration: AdministrationGate | undefined
  readonly #chatUrlOf: ChatUrlOf
  readonly #dispatcher: OperationDispatcher
  readonly #failures: FailureAnswers
  readonly #pages: PageAnswers | undefined
  readonly #crossOrigin: CrossOrigin | undefined
  readonly #telemetry: Telemetry
  readonly #unread: UnreadAnswers
  readonly #signs: SetupSigns

  /** @throws {TypeError} if operations conflict. */
  constructor(dependencies: HttpPipelineDependencies) {
    const { operations, options = {} } = dependencies
    this.#dependencies = dependencies
    this.#unread = new UnreadAnswers(dependencies.clock)
    this.#telemetry = dependencies.telemetry ?? new Telemetry()
    this.#disabled = dependencies.disabledOperations ?? new Set()
    this.#callers = new Callers(dependencies.authenticator, dependencies.spectators)
    const { address = new ChatAddress('', undefined), administrationAddresses } = options
    const isEndpoint = (method: string, path: string): boolean =>
      this.#router.match(method, path)?.kind === 'route'
    this.#signs = new SetupSigns(dependencies.problems, isEndpoint, address.basePath)
    this.#chatUrlOf = chatUrls(address, options.baseUrlOf, this.#signs)
    this.#administration =
      administrationAddresses && new AdministrationGate(administrationAddresses)
    this.#limits = {
      maxFormBytes: options.maxFormBytes ?? 25 * mebibyte,
      maxBodyBytes: options.maxBodyBytes ?? 80 * mebibyte,
      clock: dependencies.clock,
    }
    this.#bodyBudget = new BodyBudget(
      options.bodyBudget ?? { maxBytes: 256 * mebibyte, maxBytesPerAddress: 64 * mebibyte },
    )
    const compiler = new SchemaCompiler()
    this.#dispatcher = new OperationDispatcher(
      dependencies.hooks,
      options.checkResponses ? new ResponseCheck(compiler) : undefined,
      dependencies.callers,
    )
    this.#router = new Router(address.basePath)
    const { page, trustedOriginsOf } = options
    this.#failures = new FailureAnswers(dependencies)
    this.#pages = page && new PageAnswers(page, address.basePath, dependencies.logger)
    this.#crossOrigin =
      trustedOriginsOf && new CrossOrigin(trustedOriginsOf, this.#chatUrlOf, dependencies.logger)
    const ids = new Set<string>()
    for (const operation of operations) {
      if (ids.has(operation.id)) throw new TypeError(`Two operations are named ${operation.id}`)
      ids.add(operation.id)
      this.#router.add(operation, {
        operation,
        decoder: decoderOf(operation, pathParameterNames(operation.path), compiler),
        service: undefined,
      })
    }
  }

  /**
   * Answers a request. Never rejects because of a client or an operation.
   *
   * @returns undefined if the path is neither the API's nor the page's; nothing of the request was
   *   read then.
   */
  handle(request: ChatRequest): ChatResponse | undefined | Promise<ChatResponse | undefined> {
    const match = this.#router.match(request.method, request.path)
    if (match === undefined) {
      this.#signs.ofUnknownPath(request)
      return this.#pages?.answer(request)
    }
    if (match.kind === 'unknownPath' && request.passUnknownPaths) return undefined
    if (this.#crossOrigin === undefined) return this.#respond(request, match)
    return this.#crossOrigin.answer(request, () => this.#respond(request, match))
  }

  #respond(request: ChatRequest, match: RouteMatch<Route>): ChatResponse | Promise<ChatResponse> {
    if (match.kind === 'unknownPath') {
      return this.#failures.refuse(new ChatError('ROUTE_NOT_FOUND'), undefined, { request })
    }
    if (match.kind === 'route') {
      if (this.#signs.ofUpgrade(request)) {
        return this.#failures.refuse(badRequest('WEBSOCKET_NOT_UPGRADED'), undefined, { request })
      }
      const { route, pathTexts } = match
      return traceRequest(this.#telemetry, route.operation.id, (message) =>
        this.#answer(request, route, pathTexts, message),
      )
    }
    if (request.method === 'OPTIONS') return allowResponse(match.allowed)
    const fields = { allowed_methods: [...match.allowed] }
    return this.#failures.refuse(new ChatError('METHOD_NOT_ALLOWED', { fields }), undefined, {
      request,
    })
  }

  /**
   * Answers a request while the server is not running, without any look-up.
   *
   * @returns undefined if the path is neither the API's nor the page's.
   */
  async refuse(request: ChatRequest, isNew: boolean): Promise<ChatResponse | undefined> {
    const refusal = errorResponse(new ChatError('SERVICE_UNAVAILABLE'), undefined)
    if (this.#router.match(request.method, request.path) === undefined) {
      return (await this.#pages?.answer(request)) && refusal
    }
    if (isNew) this.#dependencies.problems.note('NOT_STARTED')
    return this.#crossOrigin === undefined
      ? refusal
      : this.#crossOrigin.answer(request, () => refusal)
  }

  /**
   * Runs the stages before an operation for the request that opens a WebSocket, without calling its
   * `handle`. Such a request may have a ticket instead of credentials.
   *
   * @returns undefined if the request's path and method are not those of `operation`.
   * @throws {ChatError} the error that the request would be answered with.
   */
  async prepare(
    request: ChatRequest,
    operation: Operation,
  ): Promise<OperationContext<Operation['params'], Operation['access']> | undefined> {
    const match = this.#router.match(request.method, request.path)
    if (match?.kind !== 'route' || match.route.operation !== operation) return undefined
    const { decoder } = match.route
    const organization = await this.#dependencies.organizations.resolve(request)
    const fields: FormFields = new Map()
    readQuery(request.query, fields)
    const actor = await this.#callers.require(operation, request, organization, ticketIn(fields))
    const { pathTexts } = match
    const counted = { operation, request, pathTexts, organization, actor }
    const limitHeaders = new RateLimitHeaders()
    const counting = countRequest(this.#dependencies.rateLimiter, counted, limitHeaders)
    if (counting !== undefined) await counting
    requireEnabled(this.#disabled, operation)
    requireAccess(operation.access, actor)
    await this.#administration?.require(operation, actor, request)
    return {
      actor,
      params: decoder.decode(pathTexts, fields),
      request: new LazyRequestFacts(
        request,
        organization ?? noOrganization,
        fields,
        [],
        limitHeaders,
        () => this.#dependencies.authenticator.sessionOf(request, organization, actor),
        this.#chatUrlOf,
      ),
    } as OperationContext<Operation['params'], Operation['access']>
  }

  /** Converts an error of `operation` into the one that the client gets. */
  failureOf(error: unknown, operation: Operation): ChatError {
    return this.#failures.failureOf(error, operation)
  }

  /** Whether a request is for `operation`, by path and method alone. */
  isFor(operation: Operation, method: string, path: string): boolean {
    const match = this.#router.match(method, path)
    return match?.kind === 'route' && match.route.operation === operation
  }

  async #answer(
    request: ChatRequest,
    route: Route,
    pathTexts: PathTexts,
    message: OperationMessage | undefined,
  ): Promise<ChatResponse> {
    const { operation, decoder } = route
    const limitHeaders = new RateLimitHeaders()
    let share: BodyShare | undefined
    let organization: Organization | undefined
    let actor: Actor | undefined
    try {
      organization = await this.#dependencies.organizations.resolve(request)
      if (message !== undefined && organization) message.organizationId = organization.id
      actor = await this.#callers.find(operation, request, organization)
      const counted = { operation, request, pathTexts, organization, actor }
      const counting = countRequest(this.#dependencies.rateLimiter, counted, limitHeaders)
      if (counting !== undefined) await counting
      requireEnabled(this.#disabled, operation)
      if (actor !== undefined) requireAccess(operation.access, actor)
      if (this.#administration !== undefined) {
        await this.#administration.require(operation, actor, request)
      }
      if (actor && mayChangeState(operation)) this.#dependencies.writes?.requireShortWait(actor)
      const service = (route.service ??= this.#dependencies.resolve(operation.service))
      const fields: FormFields = new Map()
      readQuery(request.query, fields)
      let files = noFiles
      if (operation.method !== 'GET') {
        this.#signs.ofBody(request)
        const plan = uploadPlan(operation, service, organization)
        const isRecognized = actor !== undefined && !isSpectator(actor)
        share = this.#bodyBudget.open(request.remoteAddress, isRecognized)
        const limits = limitsFor(isRecognized, { ...this.#limits, share })
        files = await readForm(request, plan, limits, fields, operation.bodyParameter)
      }
      const facts = new LazyRequestFacts(
        request,
        organization ?? noOrganization,
        fields,
        files,
        limitHeaders,
        () => this.#dependencies.authenticator.sessionOf(request, organization, actor),
        this.#chatUrlOf,
      )
      const context = {
        actor: actor && mayChangeState(operation) ? actorOfCall(actor, callOriginOf(facts)) : actor,
        params: decoder.decode(pathTexts, fields),
        request: facts,
      } as OperationContext<Operation['params'], Operation['access']>
      if (operation.answersWithSecrets === true && actor !== undefined) {
        await this.#dependencies.authenticator.requireCurrent(actor)
      }
      const call = { operation, decoder, service, context, raw: request.raw }
      const result: unknown = await this.#dispatcher.run(call)
      const response = resultResponse(result, operation, request, {
        ignored: decoder.ignoredNames(fields),
        headers: limitHeaders.headers,
        unread: this.#unread,
      })
      return response instanceof Promise ? await response : response
    } catch (error) {
      if (message !== undefined) message.error = codeOf(error)
      const failed = { request, organization, actor }
      return withoutPrompt(
        request,
        await this.#failures.answer(error, operation, limitHeaders, failed),
      )
    } finally {
      // Not earlier: the parameters reference the body.
      share?.release()
    }
  }
}

function ticketIn(fields: FormFields): TicketUse | undefined {
  const [ticket, queueId] = [fields.get('ticket'), fields.get('queue_id')]
  if (typeof ticket !== 'string') return undefined
  return { ticket, queueId: typeof queueId === 'string' ? queueId : undefined }
}
