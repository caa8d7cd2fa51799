import type { EventDefinition } from '../events/event.js'
import { openApiDocument } from '../http/openapi/openapi.js'
import type { Operation } from '../http/operation.js'
import type { Snapshot } from '../resource-definition/snapshot.js'
import {
  apiTopics,
  eventComponents,
  parameterDescriptions,
  topicOf,
} from '../resources/administration/api-description/index.js'
import { NarrowTermSchema } from '../resources/messages/narrows/index.js'
import { QueueTerm } from '../resources/realtime/event-queues/index.js'
import { registrationSchema } from '../resources/realtime/register/index.js'

const description = `Team chat, compatible with the REST API of Zulip at feature level 420.

Every answer but files, pages and documents is an object with \`result\` and \`msg\`. Parameters of requests other than GET are fields of a form or members of a JSON object. In a form and in a query, lists and objects are JSON texts.`

/**
 * Describes the API of a server as an OpenAPI document.
 *
 * @param serverUrl URL of the server; a path at the server that serves the document, such as `/`.
 */
export function describeApi(
  serverUrl: string,
  {
    operations,
    events,
    snapshots,
  }: {
    readonly operations: readonly Operation[]
    readonly events: readonly EventDefinition[]
    readonly snapshots: readonly Snapshot[]
  },
): Record<string, unknown> {
  return openApiDocument(withParameterDescriptions(operations), {
    serverUrl,
    info: {
      title: 'Parley',
      version: '1',
      description,
      contact: { name: 'The operator of the server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: apiTopics.map(({ title, description: about }) => ({ name: title, description: about })),
    tagOf: (operation) => topicOf(operation)?.title,
    components: {
      ...eventComponents(events),
      NarrowTerm: NarrowTermSchema,
      QueueTerm,
      Registration: registrationSchema(snapshots),
    },
  })
}

/** The operations, in which each parameter without a description has that of its name. */
export function withParameterDescriptions(operations: readonly Operation[]): Operation[] {
  return operations.map((operation) => {
    const params = Object.entries(operation.params).map(([name, schema]) => {
      const description = parameterDescriptions[name]
      const isDescribed = 'description' in schema || description === undefined
      return [name, isDescribed ? schema : described(schema, description)] as const
    })
    return { ...operation, params: Object.fromEntries(params) }
  })
}

/** A copy with the hidden properties of the schema, by which TypeBox recognizes its kind. */
function described<Schema extends object>(schema: Schema, description: string): Schema {
  return Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true },
  })
}
