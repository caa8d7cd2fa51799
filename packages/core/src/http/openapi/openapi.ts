import type { TSchema } from 'typebox'

import { apiPath } from '../../kernel/chat-address.js'
import type { Operation } from '../operation.js'
import { describeOperation, securitySchemes, withCredentials } from './openapi-operation.js'
import { documentedOperations } from './openapi-paths.js'
import { sharedComponents } from './openapi-responses.js'
import { describeSchema, type Json } from './openapi-schema.js'

export interface OpenApiOptions {
  /** URL of the server, such as `https://chat.example`, or its path. */
  readonly serverUrl: string
  /** @default '/api/v1' */
  readonly prefix?: string
  /** The Info Object; it has at least `title` and `version`. */
  readonly info: { readonly title: string; readonly version: string } & Json
  /** The subjects of operations, in the order in which they are shown. */
  readonly tags?: readonly { readonly name: string; readonly description: string }[]
  /** The name of an operation's tag. */
  readonly tagOf?: (operation: Operation) => string | undefined
  /** Schemas, by the names that `component` keywords refer to. */
  readonly components?: Readonly<Record<string, TSchema>>
}

/** Describes operations as an OpenAPI 3.1 document; those that are `undocumented` are left out. */
export function openApiDocument(operations: readonly Operation[], options: OpenApiOptions): Json {
  const { info, tags, tagOf, components = {}, prefix = apiPath } = options
  const paths: Record<string, Json> = {}
  for (const documented of documentedOperations(operations, prefix)) {
    const { path, operation } = documented
    const item = (paths[path] ??= {})
    item[operation.method.toLowerCase()] = describeOperation(documented, tagOf?.(operation))
  }
  const schemas = Object.entries(components).map(([name, schema]) => [name, describeSchema(schema)])
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: options.serverUrl }],
    security: withCredentials,
    ...(tags !== undefined && { tags }),
    paths,
    components: {
      securitySchemes,
      schemas: { ...sharedComponents.schemas, ...Object.fromEntries(schemas) },
      responses: sharedComponents.responses,
    },
  }
}
