import findMyWay, { type HTTPMethod } from 'find-my-way'

import { apiPath } from '../../kernel/chat-address.js'
import type { Operation } from '../operation.js'
import type { PathTexts } from '../parameters/parameter-decoder.js'
import type { ParameterKeywords } from '../parameters/schema-keywords.js'

/** The route of a request. */
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

/** The data that find-my-way stores for an operation. */
interface StoredRoute<Route> {
  readonly route: Route
  /** The parameter that matches the rest of the path. */
  readonly restName: string | undefined
  /** The segments of the whole path; undefined for a parameter. */
  readonly fixedSegments: readonly (string | undefined)[]
}

/**
 * Finds the operation for a method and a path.
 *
 * Each operation has one path, so that the application's own rules in front of the chat can match
 * it: fixed segments match only literally, dot segments match nothing. Parameters are decoded, and
 * repeated slashes count as one, because existing clients send them.
 */
export class Router<Route> {
  readonly #basePath: string
  readonly #ways = findMyWay({ ignoreDuplicateSlashes: true, maxParamLength: 10_000 })
  readonly #taken = new Map<string, string>()
  /** The fixed first segments of paths outside the prefix, such as `/files`. */
  readonly #rootParts = new Set<string>()

  /** @param basePath the path that all others begin with; empty for none, no slash at its end. */
  constructor(basePath: string) {
    this.#basePath = basePath
  }

  /**
   * @throws {TypeError} if the method and path are taken, if a path parameter is not declared, or
   *   if a segment follows a parameter that matches the rest of the path.
   */
  add(operation: Operation, route: Route): void {
    let restName: string | undefined
    for (const name of pathParameterNames(operation.path)) {
      if (!Object.hasOwn(operation.params, name)) {
        throw new TypeError(
          `Operation ${operation.id}: declare the path parameter {${name}} in params`,
        )
      }
      if (!isRestOfPath(operation, name)) continue
      restName = name
      if (operation.path.endsWith(`/{${name}}`)) continue
      throw new TypeError(`Operation ${operation.id}: {${name}} must be the end of the path`)
    }
    const shape = operation.path.replaceAll(pathParameter, (_, name: string) =>
      isInteger(operation, name) ? '{integer}' : '{text}',
    )
    const prefix = operation.isAtRoot === true ? '' : apiPath
    const key = `${operation.method} ${prefix}${shape}`
    const owner = this.#taken.get(key)
    if (owner !== undefined) {
      throw new TypeError(`Operations ${owner} and ${operation.id} both answer ${key}`)
    }
    this.#taken.set(key, operation.id)
    const pattern = operation.path.replaceAll(pathParameter, (_, name: string) => {
      if (name === restName) return '*'
      return isInteger(operation, name) ? `:${name}(^\\d+$)` : `:${name}`
    })
    const fixedSegments = segmentsOf(prefix + operation.path).map((segment) =>
      segment.startsWith('{') ? undefined : segment,
    )
    const stored: StoredRoute<Route> = { route, restName, fixedSegments }
    this.#ways.on(operation.method, prefix + pattern, () => {}, stored)
    if (operation.isAtRoot === true) this.#rootParts.add(firstPart(pattern))
  }

  /**
   * @returns undefined if the path is not below the base path, or neither under the API's prefix nor
   *   that of a route outside it.
   */
  match(method: string, path: string): RouteMatch<Route> | undefined {
    if (!path.startsWith(this.#basePath)) return undefined
    return this.#matchBelow(method, path.slice(this.#basePath.length))
  }

  #matchBelow(method: string, path: string): RouteMatch<Route> | undefined {
    const isUnderPrefix = isUnderApi(path)
    if (!isUnderPrefix && !this.#rootParts.has(firstPart(path))) return undefined
    const unknown: RouteMatch<Route> | undefined = isUnderPrefix
      ? { kind: 'unknownPath' }
      : undefined
    if (otherSpelling.test(path) && this.#isMisspelled(path)) return unknown
    const found = this.#ways.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path)
    if (found !== null) {
      const { route, restName } = found.store as StoredRoute<Route>
      const pathTexts =
        restName === undefined ? found.params : { ...found.params, [restName]: found.params['*'] }
      return { kind: 'route', route, pathTexts }
    }
    const allowed = methods.filter((other) => this.#ways.find(other, path) !== null)
    return allowed.length > 0 ? { kind: 'otherMethods', allowed } : unknown
  }

  /** Whether a path matches a route of any method in another spelling than the declared one. */
  #isMisspelled(path: string): boolean {
    if (notInPaths.test(path)) return true
    const segments = segmentsOf(path)
    // find-my-way compares the decoded path.
    return methods.some((method) => {
      const store = this.#ways.find(method, path)?.store as StoredRoute<Route> | undefined
      return store?.fixedSegments.some(
        (fixed, index) => fixed !== undefined && fixed !== segments[index],
      )
    })
  }
}

function isUnderApi(path: string): boolean {
  const { length } = apiPath
  return path.startsWith(apiPath) && (path.length === length || path.charCodeAt(length) === slash)
}

const slash = '/'.charCodeAt(0)

/** Without these characters, a path has only one spelling. */
const otherSpelling = /[%.#]/

/** Dot segments, encoded or not, and fragments, which no request has (RFC 9112, 3.2.1). */
const notInPaths = /\/(?:\.|%2e){1,2}(?:\/|$)|#/i

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function firstPart(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path : path.slice(0, end)
}

function isInteger(operation: Operation, name: string): boolean {
  return (operation.params[name] as { type?: string } | undefined)?.type === 'integer'
}

function isRestOfPath(operation: Operation, name: string): boolean {
  return (operation.params[name] as ParameterKeywords | undefined)?.restOfPath === true
}
