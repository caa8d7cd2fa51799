import { Type, type TSchema } from 'typebox'

import type { ErrorKindName } from '../../errors/index.js'

import type { Operation } from '../operation.js'
import { asParameterSchema } from '../parameters/parameter-schema.js'
import { pathParameterNames } from '../pipeline/router.js'

/** An operation as the document lists it: one path item for each shape of a path. */
export interface DocumentedOperation {
  /** The whole path, from the root of the server. */
  readonly path: string
  readonly operation: Operation
  /** The errors of requests that have this shape of a path, but that no operation is for. */
  readonly routeErrors: readonly ErrorKindName[]
}

/**
 * The operations of the document, with their paths.
 *
 * The server distinguishes `/users/{user_id}` and `/users/{email}` by the value; for OpenAPI they
 * are one path. Its parameter is then named after all of them, and two operations with the same
 * method become one.
 */
export function documentedOperations(
  operations: readonly Operation[],
  prefix: string,
): DocumentedOperation[] {
  const byShape = new Map<string, OperationAtPath[]>()
  for (const operation of operations) {
    if (operation.undocumented === true) continue
    const path = (operation.isAtRoot === true ? '' : prefix) + operation.path
    const shape = path.replaceAll(/\{[^{}]+\}/g, '{}')
    byShape.set(shape, [...(byShape.get(shape) ?? []), { path, operation }])
  }
  // In this order a fixed segment comes before a parameter at the same place, so that checkers do
  // not call the paths ambiguous.
  const sorted = [...byShape].sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.flatMap(([, alike]) => inOnePath(alike))
}

type OperationAtPath = Pick<DocumentedOperation, 'path' | 'operation'>

function inOnePath(alike: readonly OperationAtPath[]): DocumentedOperation[] {
  return withOnePath(alike).map(({ path, operation }) => ({
    path,
    operation,
    routeErrors: routeErrorsOf(operation, alike),
  }))
}

/**
 * A text in a path can be no id, or too long. Outside the API's prefix, such a path is the
 * application's.
 */
function routeErrorsOf(
  { method, isAtRoot }: Operation,
  alike: readonly OperationAtPath[],
): readonly ErrorKindName[] {
  if (isAtRoot === true) return []
  const takesAnyText = alike.filter(({ operation }) => !hasIdInPath(operation))
  if (takesAnyText.some(({ path }) => pathParameterNames(path).size === 0)) return []
  const isOtherMethod = takesAnyText.every(({ operation }) => operation.method !== method)
  return takesAnyText.length > 0 && isOtherMethod
    ? ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED']
    : ['ROUTE_NOT_FOUND']
}

/** Whether a path matches only if it has digits in certain places. */
export function hasIdInPath({ path, params }: Operation): boolean {
  return [...pathParameterNames(path)].some(
    (name) => asParameterSchema(params[name] ?? {}).type === 'integer',
  )
}

function withOnePath(alike: readonly OperationAtPath[]): readonly OperationAtPath[] {
  const [first] = alike
  if (first === undefined || alike.every(({ path }) => path === first.path)) return alike
  const names = alike.map(({ path }) => [...pathParameterNames(path)])
  const joined = (names[0] ?? []).map((_, index) =>
    [...new Set(names.map((own) => own[index]))].join('_or_'),
  )
  let index = 0
  const path = first.path.replaceAll(/\{[^{}]+\}/g, () => `{${joined[index++]}}`)
  const byMethod = new Map<string, Operation>()
  for (const { operation } of alike) {
    const renamed = withPathParameters(operation, joined)
    const known = byMethod.get(operation.method)
    byMethod.set(operation.method, known === undefined ? renamed : merged(known, renamed, joined))
  }
  return Array.from(byMethod.values(), (operation) => ({ path, operation }))
}

function withPathParameters(operation: Operation, names: readonly string[]): Operation {
  const own = [...pathParameterNames(operation.path)]
  const params = Object.entries(operation.params).map(([name, schema]): [string, TSchema] => [
    names[own.indexOf(name)] ?? name,
    schema,
  ])
  return { ...operation, params: Object.fromEntries(params) }
}

function merged(one: Operation, other: Operation, names: readonly string[]): Operation {
  const either = names.map((name): [string, TSchema] => {
    const schemas = [one.params[name], other.params[name]].filter((schema) => schema !== undefined)
    return [name, Type.Union(schemas)]
  })
  return {
    ...one,
    summary: `${one.summary} ${other.summary}`,
    params: { ...other.params, ...one.params, ...Object.fromEntries(either) },
    errors: [...new Set([...one.errors, ...other.errors])],
  }
}
