import { Readable } from 'node:stream'

import { isApplication, type Actor } from '../../domain/users/actor.js'
import { ChatError } from '../../errors/index.js'
import type { OperationHooks } from '../../events/application/operation-hooks.js'
import type { Telemetry } from '../../kernel/telemetry/telemetry.js'
import type { UploadedFile } from '../bodies/uploaded-file.js'
import { RateLimitHeaders } from '../limits/rate-limiter.js'
import {
  mayChangeState,
  type Operation,
  type OperationContext,
  type RequestFacts,
} from '../operation.js'
import { decoderOf, type ParameterDecoder } from '../parameters/parameter-decoder.js'
import { SchemaCompiler } from '../parameters/schema-compiler.js'
import { requireAccess, requireEnabled, requireServedActor } from '../pipeline/access.js'
import { OperationDispatcher } from '../pipeline/operation-dispatcher.js'
import type { HttpPipelineDependencies } from '../pipeline/pipeline-options.js'
import { pathParameterNames } from '../pipeline/router.js'
import { traceCall } from '../pipeline/traced-operations.js'
import type { CallerNotes, Organization } from '../ports.js'
import { plainResult } from '../replies/plain-result.js'
import { ResponseCheck } from '../replies/response-check.js'
import { applicationParams, isCallable, methodName } from './callable-operations.js'
import { repeatableCall } from './repeatable-call.js'

/** A file that the application's own code uploads. */
export interface FileToUpload {
  readonly name: string
  /** Its media type. @default 'application/octet-stream' */
  readonly contentType?: string
  readonly content: Uint8Array | Readable
}

export interface ApplicationCaller {
  readonly actor: Actor
  readonly organization: Organization
  /** Recognizes a repetition of the call. */
  readonly idempotencyKey?: string | undefined
}

interface CallableOperation {
  readonly operation: Operation
  readonly decoder: ParameterDecoder
}

type CallDependencies = Pick<HttpPipelineDependencies, 'operations' | 'resolve'> & {
  /** Ids of the operations that users cannot call. */
  readonly disabledOperations: ReadonlySet<string>
  /** URL of the chat in results. */
  readonly chatUrl: string
  readonly checkResponses: boolean
  readonly hooks: OperationHooks
  readonly callers: CallerNotes
  readonly telemetry: Telemetry
}

/**
 * Calls of operations by the application's own code. Same parameters, access rules and results as
 * over HTTP; without limits of requests, which protect from clients.
 */
export class ApplicationCalls {
  readonly #dependencies: CallDependencies
  readonly #operations = new Map<string, CallableOperation>()
  readonly #dispatcher: OperationDispatcher
  readonly #telemetry: Telemetry

  constructor(dependencies: CallDependencies) {
    this.#dependencies = dependencies
    this.#telemetry = dependencies.telemetry
    const compiler = new SchemaCompiler()
    this.#dispatcher = new OperationDispatcher(
      dependencies.hooks,
      dependencies.checkResponses ? new ResponseCheck(compiler) : undefined,
      dependencies.callers,
    )
    for (const operation of dependencies.operations.filter(isCallable)) {
      const { clientParameters, path } = operation
      const params = applicationParams(operation)
      const called = clientParameters === undefined ? operation : { ...operation, params }
      const decoder = decoderOf(called, pathParameterNames(path), compiler)
      this.#operations.set(methodName(operation.id), { operation, decoder })
    }
  }

  /** The names of all operations, as methods. */
  get names(): readonly string[] {
    return [...this.#operations.keys()]
  }

  /** The names of the operations that need no account of the caller. */
  get namesWithoutAccount(): readonly string[] {
    return this.names.filter((name) => this.#require(name).operation.isPersonal !== true)
  }

  /** Whether the operation may change something. */
  mayWrite(name: string): boolean {
    return mayChangeState(this.#require(name).operation)
  }

  /** The options of an operation's calls, and whether it has them. */
  optionNames(name: string): { readonly within: boolean; readonly idempotencyKey: boolean } {
    return { within: true, idempotencyKey: this.#require(name).operation.isRepeatable === true }
  }

  /**
   * @param values the parameters, and `file` for an operation that accepts one.
   * @throws {TypeError} naming every parameter that the operation does not have.
   * @throws {ChatError} as the operation over HTTP.
   */
  async call(
    name: string,
    values: Readonly<Record<string, unknown>>,
    caller: ApplicationCaller,
  ): Promise<unknown> {
    const called = this.#require(name)
    return traceCall(this.#telemetry, called.operation.id, caller.organization.id, () =>
      this.#call(name, called, values, caller),
    )
  }

  async #call(
    name: string,
    { operation, decoder }: CallableOperation,
    values: Readonly<Record<string, unknown>>,
    { actor, organization, idempotencyKey }: ApplicationCaller,
  ): Promise<unknown> {
    const { file, ...rest } =
      operation.upload === undefined ? { ...values, file: undefined } : values
    const params = { ...operation.clientParameters, ...this.#decode(name, decoder, rest) }
    if (!isApplication(actor)) requireEnabled(this.#dependencies.disabledOperations, operation)
    requireServedActor(operation, actor)
    requireAccess(operation.access, actor)
    const service = this.#dependencies.resolve(operation.service)
    const files = await receive(operation, service, fileIn(name, file), organization)
    const context = {
      actor,
      params,
      request: {
        ...noRequest,
        organization,
        files,
        chatUrl: this.#dependencies.chatUrl,
        parameterNames: new Set(Object.keys(rest).filter((key) => rest[key] !== undefined)),
        repeatable: repeatableCall(name, actor, params, idempotencyKey),
        rateLimitHeaders: new RateLimitHeaders(),
      },
    } as OperationContext<Operation['params'], Operation['access']>
    const call = { operation, decoder, service, context, raw: undefined }
    return plainResult(await this.#dispatcher.run(call))
  }

  #require(name: string): CallableOperation {
    const found = this.#operations.get(name)
    if (found === undefined) throw new TypeError(`There is no operation ${name}`)
    return found
  }

  #decode(
    name: string,
    decoder: ParameterDecoder,
    values: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    try {
      return decoder.decodeValues(values)
    } catch (error) {
      if (error instanceof TypeError)
        throw new TypeError(`${name}: ${error.message}`, { cause: error })
      throw error
    }
  }
}

/** The facts of a request, for calls that come without one. */
const noRequest: Omit<
  RequestFacts,
  'organization' | 'files' | 'chatUrl' | 'parameterNames' | 'repeatable' | 'rateLimitHeaders'
> = {
  clientName: 'Internal',
  remoteAddress: 'application',
  session: undefined,
  authorization: undefined,
  acceptLanguage: undefined,
  userAgent: '',
  isCrossSiteNavigation: true,
  range: undefined,
  ifNoneMatch: undefined,
  // No operation that waits can be called by the application.
  onDisconnect: () => () => {},
}

function fileIn(name: string, file: unknown): FileToUpload | undefined {
  if (file === undefined) return undefined
  if (typeof file === 'object' && file !== null && 'name' in file && 'content' in file) {
    const { content } = file
    if (
      typeof file.name === 'string' &&
      (content instanceof Uint8Array || content instanceof Readable)
    ) {
      const hasType = 'contentType' in file && typeof file.contentType === 'string'
      return { name: file.name, content, ...(hasType && { contentType: String(file.contentType) }) }
    }
  }
  throw new TypeError(`${name}: file must have a name, and a content of bytes or a stream`)
}

/** The file as a request's upload: streamed where the operation streams uploads. */
async function receive(
  { upload }: Operation,
  service: unknown,
  file: FileToUpload | undefined,
  organization: Organization,
): Promise<readonly UploadedFile[]> {
  if (file === undefined || upload === undefined) return []
  const { name: fileName, contentType = 'application/octet-stream' } = file
  const maxBytes = upload.maxFileBytes(service)
  const base = { fieldName: 'file', fileName, contentType }
  if (upload.receive !== undefined) {
    const tooLarge = (): ChatError =>
      upload.tooLarge?.(service) ?? new ChatError('PAYLOAD_TOO_LARGE')
    const content = Readable.from(upTo(maxBytes, file.content, tooLarge))
    const received = await upload.receive(
      service,
      { fileName, contentType, content },
      organization.id,
    )
    return [{ ...base, bytes: Buffer.alloc(0), truncated: false, received }]
  }
  const chunks: Buffer[] = []
  let truncated = false
  const truncate = (): void => {
    truncated = true
  }
  for await (const chunk of upTo(maxBytes, file.content, truncate)) chunks.push(chunk)
  return [{ ...base, bytes: Buffer.concat(chunks), truncated }]
}

/** The bytes of a file up to a limit. A result of `onMore` is thrown if there are more. */
async function* upTo(
  maxBytes: number,
  content: Uint8Array | Readable,
  onMore: () => ChatError | void,
): AsyncGenerator<Buffer> {
  let size = 0
  const source: Iterable<unknown> | AsyncIterable<unknown> =
    content instanceof Readable ? content : [Buffer.from(content)]
  for await (const chunk of source) {
    // A stream of a `Blob` or a `Response` has other bytes than buffers; a text stream has none.
    const bytes = chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk))
    size += bytes.length
    if (size > maxBytes) {
      const error = onMore()
      if (error !== undefined) throw error
      return
    }
    yield bytes
  }
}
