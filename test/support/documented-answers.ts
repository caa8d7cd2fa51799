import type { IncomingHttpHeaders } from 'node:http'

// First: it sets up what the modules below require.
await import('@parley/core')
const { allOperations } = await import('../../packages/core/src/resources/index.js')
const { documentedOperations } =
  await import('../../packages/core/src/http/openapi/openapi-paths.js')
const { describeResponses, sharedComponents } =
  await import('../../packages/core/src/http/openapi/openapi-responses.js')
const { asParameterSchema } =
  await import('../../packages/core/src/http/parameters/parameter-schema.js')

/** A response, as far as the OpenAPI document describes it. */
interface CheckedAnswer {
  readonly status: number
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly text: string
}

interface ErrorSchema {
  readonly allOf: readonly [
    unknown,
    { readonly properties: { readonly code: { readonly enum: readonly string[] } } },
  ]
}

interface DescribedResponse {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>
}

type Responses = Readonly<Record<string, DescribedResponse>>

interface DocumentedPath {
  readonly segments: readonly string[]
  /** The places of ids, if a path with other texts there is the application's. */
  readonly idPlaces: readonly number[]
  /** Whether its last parameter may contain slashes. */
  readonly hasRest: boolean
  /** By method. Only few operations are called in one process. */
  readonly describe: Map<string, () => Responses>
}

const documentedPaths = pathsOfDocument()

/**
 * @param path from the chat's own path on, with the query.
 * @throws {Error} if the OpenAPI document does not describe this answer of the operation with this
 *   method and path. A request that is for no operation may have any answer.
 */
export function requireDocumented(method: string, path: string, answer: CheckedAnswer): void {
  const operationMethod = method === 'HEAD' ? 'GET' : method
  const responses = documentedPathOf(path)?.describe.get(operationMethod)?.()
  const problem = responses && problemOf(responses, answer, method === 'HEAD')
  if (problem === undefined) return
  throw new Error(
    `The OpenAPI document does not describe ${problem} of ${method} ${path.slice(0, 200)}: ${answer.text.slice(0, 300)}`,
  )
}

function problemOf(
  responses: Responses,
  { status, headers, text }: CheckedAnswer,
  isHead: boolean,
): string | undefined {
  const response = resolved(responses[status])
  if (response === undefined) return `the status ${status}`
  if (text === '' && (isHead || response.content === undefined)) return undefined
  const type = headers['content-type']?.split(';')[0] ?? ''
  const media = Object.entries(response.content ?? {}).find(([range]) => isWithin(type, range))
  if (media === undefined) return `the type ${type} with the status ${status}`
  if (status < 400 || type !== 'application/json') return undefined
  const [, { properties }] = (media[1].schema as ErrorSchema).allOf
  const { code } = JSON.parse(text) as { code: string }
  return properties.code.enum.includes(code) ? undefined : `the code ${code}`
}

function resolved(response: DescribedResponse | undefined): DescribedResponse | undefined {
  const name = response?.$ref?.replace('#/components/responses/', '')
  if (name === undefined) return response
  return sharedComponents.responses[name] as DescribedResponse | undefined
}

function isWithin(type: string, range: string): boolean {
  return range === '*/*' || range === type || range === `${type.split('/')[0]}/*`
}

function documentedPathOf(path: string): DocumentedPath | undefined {
  const segments = segmentsOf(path.split('?')[0] ?? '')
  // Dot segments stand for another path.
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return undefined
  const found = documentedPaths.find(
    ({ segments: documented, hasRest }) =>
      (segments.length === documented.length || (hasRest && segments.length > documented.length)) &&
      documented.every((one, index) => one.startsWith('{') || one === segments[index]),
  )
  return found?.idPlaces.every((place) => /^\d+$/.test(segments[place] ?? '')) ? found : undefined
}

/** Those with a fixed segment come before those with a parameter at the same place. */
function pathsOfDocument(): DocumentedPath[] {
  const byPath = new Map<string, DocumentedPath>()
  for (const { path, operation, routeErrors } of documentedOperations(allOperations, '/api/v1')) {
    const segments = segmentsOf(path)
    const schemas = segments.map((segment) =>
      asParameterSchema(operation.params[segment.slice(1, -1)] ?? {}),
    )
    const documented = byPath.get(path) ?? {
      segments,
      idPlaces: schemas.flatMap(({ type }, index) =>
        operation.isAtRoot === true && type === 'integer' ? [index] : [],
      ),
      hasRest: schemas.at(-1)?.restOfPath === true,
      describe: new Map(),
    }
    let responses: Responses | undefined
    documented.describe.set(operation.method, () => {
      responses ??= describeResponses(operation, routeErrors) as Responses
      return responses
    })
    byPath.set(path, documented)
  }
  return [...byPath].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, path]) => path)
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
