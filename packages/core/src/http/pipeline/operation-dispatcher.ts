import type { IncomingMessage } from 'node:http'

import type { HookCall, OperationHooks } from '../../events/application/operation-hooks.js'
import { methodName } from '../calls/callable-operations.js'
import { FileReply, type Operation, type OperationContext } from '../operation.js'
import type { ParameterDecoder } from '../parameters/parameter-decoder.js'
import type { CallerNotes } from '../ports.js'
import { plainResult } from '../replies/plain-result.js'
import type { ResponseCheck } from '../replies/response-check.js'
import { contentParametersOf, replaceTexts, type ContentParameters } from './content-texts.js'

type Context = OperationContext<Operation['params'], Operation['access']>

/** A call whose caller and parameters are checked. */
export interface CheckedCall {
  readonly operation: Operation
  readonly decoder: ParameterDecoder
  readonly service: unknown
  readonly context: Context
  /** The request of `node:http`; undefined for calls of the application's own code. */
  readonly raw: IncomingMessage | undefined
}

interface HookPoints {
  readonly name: string
  readonly content: ContentParameters
}

/** The declarations are the same for every server in a process. */
const hookPoints = new WeakMap<Operation, HookPoints>()

/** Runs operations, with the application's hooks, for requests and calls in the process alike. */
export class OperationDispatcher {
  readonly #hooks: OperationHooks | undefined
  readonly #responseCheck: ResponseCheck | undefined
  readonly #callers: CallerNotes | undefined

  constructor(
    hooks: OperationHooks | undefined,
    responseCheck: ResponseCheck | undefined,
    callers: CallerNotes | undefined,
  ) {
    this.#hooks = hooks
    this.#responseCheck = responseCheck
    this.#callers = callers
  }

  /**
   * @throws {ChatError} the errors of the operation or of a hook before it; and if the parameters
   *   that a hook returns are invalid, as for a client's.
   */
  run(call: CheckedCall): unknown {
    const { actor } = call.context
    if (actor !== undefined) this.#callers?.noteCaller(actor)
    const hooks = this.#hooks
    if (hooks === undefined) return this.#handle(call)
    const points = hookPointsOf(call.operation)
    const isHooked = hooks.has('before', points.name) || hooks.has('after', points.name)
    const hasTexts = hooks.hasContentHooks && points.content.size > 0
    return isHooked || hasTexts ? this.#runHooked(hooks, points, call) : this.#handle(call)
  }

  async #runHooked(
    hooks: OperationHooks,
    { name, content }: HookPoints,
    checkedCall: CheckedCall,
  ): Promise<unknown> {
    const { context, decoder, raw } = checkedCall
    const { actor, request } = context
    let call: HookCall
    try {
      const caller = await hooks.callerOf(actor, request.organization, raw)
      call = { ...caller, operation: name, params: context.params }
      let params = await hooks.before(call, (now, changes) => decoder.decodeChanges(now, changes))
      if (hooks.hasContentHooks) {
        const texts = await replaceTexts(content, params, async (kind, text) =>
          hooks.replaceText({ ...caller, operation: name, kind, text }),
        )
        params = decoder.decodeChanges(params, texts)
      }
      call = { ...call, params }
    } catch (error) {
      await abandonFiles(checkedCall)
      throw error
    }
    const result = await this.#handle({
      ...checkedCall,
      context: { ...context, params: { ...call.params } },
    })
    if (hooks.has('after', name)) await hooks.after(call, () => resultForHooks(result))
    return result
  }

  #handle({ operation, service, context }: CheckedCall): unknown {
    return this.#responseCheck === undefined
      ? operation.handle(service, context)
      : this.#responseCheck.call(operation, service, context)
  }
}

function hookPointsOf(operation: Operation): HookPoints {
  let points = hookPoints.get(operation)
  if (points === undefined) {
    const { id, aliasOf = id } = operation
    points = { name: methodName(aliasOf), content: contentParametersOf(operation) }
    hookPoints.set(operation, points)
  }
  return points
}

/** A copy for each hook. The content of a file belongs to the caller alone. */
function resultForHooks(result: unknown): unknown {
  if (result instanceof FileReply) return { contentType: result.contentType }
  return plainResult(result)
}

/** Discards the uploads of a call that a hook has refused. */
async function abandonFiles({ operation, service, context }: CheckedCall): Promise<void> {
  for (const { received } of context.request.files) {
    if (received !== undefined) await operation.upload?.abandon?.(service, received)
  }
}
