import type { ChatApi } from '@parley/client'

import type { operations } from '../../packages/client/src/operations.generated.js'
import type { UncheckedJson } from './unchecked-json.js'

type Operations = typeof operations

type RequestOf<Operation> = Operation extends `${infer Method} ${infer Path} ${string}`
  ? `${Method} /${Path}`
  : Operation extends `${infer Method} ${infer Path}`
    ? `${Method} /${Path}`
    : never

/** The results of the client's operations, by method and path. Events are of too many kinds. */
type Results = {
  [Name in Exclude<keyof Operations, 'getEvents'> as RequestOf<Operations[Name]>]: Awaited<
    ReturnType<ChatApi[Name]>
  >
}

type Pattern<Path> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Pattern<After>}`
  : Path

type Matching<Request> = Request extends keyof Results
  ? Request
  : { [Path in keyof Results]: Request extends Pattern<Path> ? Path : never }[keyof Results]

/**
 * Tests assert that there is what the type says may be missing or null. Values of several kinds, as
 * the recipients of a message, are unchecked.
 */
type Present<Value> = [Value] extends [readonly (infer Item)[]]
  ? Present<NonNullable<Item>>[]
  : [Value] extends [string | number | boolean]
    ? Value
    : [Extract<Value, string | number | boolean | readonly unknown[]>] extends [never]
      ? PresentFields<Value>
      : UncheckedJson

type PresentFields<Value> = Value extends object
  ? { [Key in keyof Value]-?: Present<NonNullable<Value[Key]>> }
  : UncheckedJson

type ResultOf<Request> = [Matching<Request>] extends [never]
  ? UncheckedJson
  : [keyof Results[Matching<Request>]] extends [never]
    ? UncheckedJson
    : string extends keyof Results[Matching<Request>]
      ? UncheckedJson
      : Present<Results[Matching<Request>]> & Record<string, UncheckedJson>

/**
 * What a request is answered if it succeeds, by the types of the client; the fields of a refusal are
 * unchecked. Unchecked too is what the type of the path does not tell.
 */
export type BodyOf<Method extends string, Path extends string> = string extends Path
  ? UncheckedJson
  : ResultOf<`${Method} ${Path}`>
