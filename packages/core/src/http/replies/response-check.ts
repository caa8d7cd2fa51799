import type { ValidateFunction } from 'ajv'

import { ChatError, type ErrorKindName } from '../../errors/index.js'
import {
  DocumentReply,
  FileReply,
  SerializedReply,
  type Operation,
  type OperationContext,
} from '../operation.js'
import type { SchemaCompiler } from '../parameters/schema-compiler.js'
import { commonErrors } from '../pipeline/common-errors.js'

const undeclaredErrors: ReadonlySet<ErrorKindName> = new Set(commonErrors)

/** Declarations are the same for every server in a process; to compile a large one takes long. */
const validators = new WeakMap<Operation, ValidateFunction>()

/** Checks the responses of operations against their declarations; for tests. */
export class ResponseCheck {
  readonly #compiler: SchemaCompiler

  constructor(compiler: SchemaCompiler) {
    this.#compiler = compiler
  }

  /**
   * Calls an operation.
   *
   * @throws {Error} if its response, or the error that it throws, is not declared.
   */
  async call(
    operation: Operation,
    service: unknown,
    context: OperationContext<Operation['params'], Operation['access']>,
  ): Promise<unknown> {
    try {
      const result = await operation.handle(service, context)
      this.#requireDeclaredPayload(operation, result)
      return result
    } catch (error) {
      if (error instanceof ChatError) this.#requireDeclaredError(operation, error.kind, error)
      throw error
    }
  }

  /**
   * @throws {Error} if a payload lacks a declared key, has an undeclared one, or an invalid value.
   */
  #requireDeclaredPayload(operation: Operation, result: unknown): void {
    if (result instanceof DocumentReply || result instanceof FileReply) return
    let validate = validators.get(operation)
    if (validate === undefined) {
      validate = this.#compiler.compile(operation.response, { closedObjects: true })
      validators.set(operation, validate)
    }
    // Compares the JSON that is sent, without values that JSON omits.
    const payload =
      result instanceof SerializedReply
        ? withoutEnvelope(result)
        : (JSON.parse(JSON.stringify(result ?? {})) as unknown)
    if (validate(payload)) return
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the payload'} ${message} ${JSON.stringify(params)}`,
    )
    throw new Error(`${operation.id} answered what it does not declare: ${problems.join('; ')}`)
  }

  /** @throws {Error} if the operation does not declare this kind of error. */
  #requireDeclaredError(operation: Operation, kind: ErrorKindName, cause: unknown): void {
    if (undeclaredErrors.has(kind) || operation.errors.includes(kind)) return
    throw new Error(`${operation.id} failed with ${kind}, which it does not declare`, { cause })
  }
}

function withoutEnvelope({ json }: SerializedReply): unknown {
  const { result, msg, ...payload } = JSON.parse(json.toString()) as Record<string, unknown>
  if (result !== 'success' || msg !== '') throw new Error('A serialized reply lacks its envelope')
  return payload
}
