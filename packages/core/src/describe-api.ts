import type { EventDefinition } from './events/event.js'
import { openApiDocument } from './http/openapi.js'
import type { Operation } from './http/operation.js'
import { NarrowTerm } from './resources/messages/reading/index.js'
import type { Snapshot } from './resource-definition/snapshot.js'
import { registrationOf } from './resources/realtime/register/index.js'
import {
  apiTopics,
  eventComponents,
  topicOf,
} from './resources/administration/api-description/index.js'

const description = `Team chat, compatible with the REST API of Zulip at feature level 420.

Every answer but files, pages and documents is an object with \`result\` and \`msg\`. Parameters of requests other than GET are fields of a form or members of a JSON object. In a form and in a query, lists and objects are JSON texts.`

/**
 * Describes the API of a server as an OpenAPI document.
 *
 * @param origin origin of the server; `/` for the server that serves the document.
 */
export function describeApi(
  origin: string,
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
  return openApiDocument(operations, {
    origin,
    info: {
      title: 'Parley',
      version: '1',
      description,
      contact: { name: 'The operator of the server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: apiTopics.map(({ title, description: about }) => ({ name: title, description: about })),
    tagOf: (operation) => topicOf(operation)?.title,
    components: { ...eventComponents(events), NarrowTerm, Registration: registrationOf(snapshots) },
  })
}
