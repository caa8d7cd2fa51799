import findMyWay, { type HTTPMethod } from 'find-my-way'

import type { Operation } from './operation.js'
import type { PathTexts } from './parameter-decoder.js'

/** Where a request goes. */
export type RouteMatch<Route> =
  | { readonly kind: 'route'; readonly route: Route; readonly pathTexts: PathTexts }
  | { readonly kind: 'unknownPath' }
  /** The path exists; `allowed` are its methods, sorted. */
  | { readonly kind: 'otherMethods'; readonly allowed: readonly string[] }

const methods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const
const pathParameter = /\{([^{}]+)\}/g

/** The names of the parameters in an operation's path. */
export function pathParameterNames(path: string): ReadonlySet<string> {
  return new Set(Array.from(path.matchAll(pathParameter), ([, name]) => name ?? ''))
}

/** Finds the operation for a method and a path. */
export class Router<Route> {
  readonly #prefix: string
  readonly #ways = findMyWay({ ignoreDuplicateSlashes: true, maxParamLength: 10_000 })
  readonly #taken = new Map<string, string>()

  /** @param prefix where the API is mounted, such as `/api/v1`; no slash at its end. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /**
   * @throws {TypeError} if the method and path are taken, or a path parameter is not declared.
   */
  add(operation: Operation, route: Route): void {
    for (const name of pathParameterNames(operation.path)) {
      if (!Object.hasOwn(operation.params, name)) {
        throw new TypeError(
          `Operation ${operation.id}: declare the path parameter {${name}} in params`,
        )
      }
    }
    const shape = operation.path.replaceAll(pathParameter, (_, name: string) =>
      isInteger(operation, name) ? '{integer}' : '{text}',
    )
    const key = `${operation.method} ${shape}`
    const owner = this.#taken.get(key)
    if (owner !== undefined) {
      throw new TypeError(`Operations ${owner} and ${operation.id} both answer ${key}`)
    }
    this.#taken.set(key, operation.id)
    const pattern = operation.path.replaceAll(pathParameter, (_, name: string) =>
      isInteger(operation, name) ? `:${name}(^\\d+$)` : `:${name}`,
    )
    this.#ways.on(operation.method, this.#prefix + pattern, () => {}, route)
  }

  /** @returns undefined if the path is not under the prefix. */
  match(method: string, path: string): RouteMatch<Route> | undefined {
    const prefix = this.#prefix
    if (!path.startsWith(prefix)) return undefined
    if (path.length > prefix.length && path.charCodeAt(prefix.length) !== slash) return undefined
    const found = this.#ways.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path)
    if (found !== null) {
      return { kind: 'route', route: found.store as Route, pathTexts: found.params }
    }
    const allowed = methods.filter((other) => this.#ways.find(other, path) !== null)
    return allowed.length === 0 ? { kind: 'unknownPath' } : { kind: 'otherMethods', allowed }
  }
}

const slash = '/'.charCodeAt(0)

function isInteger(operation: Operation, name: string): boolean {
  return (operation.params[name] as { type?: string } | undefined)?.type === 'integer'
}
