import { Type, type TObject, type TSchema } from 'typebox'

import type { EventDefinition } from '../../events/event.js'

/** What a description needs of an event's declaration. */
type DescribedEvent = Pick<EventDefinition, 'kind' | 'type' | 'op' | 'summary' | 'payload'>

/** What a queue to which nothing happens brings now and then; it is in no log. */
export const heartbeat: DescribedEvent = {
  kind: 'heartbeat',
  type: 'heartbeat',
  summary: 'Nothing has happened, and the queue is alive.',
  payload: Type.Object({}),
}

/**
 * The components of the API's description that say what events look like: `Event`, which is any of
 * them, and one for each kind, such as `UserGroupAddMembersEvent`.
 */
export function eventComponents(definitions: readonly EventDefinition[]): Record<string, TSchema> {
  const kinds = [...definitions, heartbeat]
    .sort((a, b) => (a.kind < b.kind ? -1 : 1))
    .map((event) => ({ name: componentName(event), schema: eventSchema(event) }))
  return {
    Event: Type.Union(kinds.map(({ name }) => Type.Unknown({ component: name }))),
    ...Object.fromEntries(kinds.map(({ name, schema }) => [name, schema])),
  }
}

function componentName({ kind }: DescribedEvent): string {
  const words = kind.split(/[/_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

/** One event as a queue brings it: its `id`, what it is, and the fields of its kind. */
export function eventSchema({ type, op, summary, payload }: DescribedEvent): TSchema {
  return Type.Object(
    {
      id: Type.Integer(),
      type: Type.Literal(type),
      ...(op === undefined ? {} : { op: Type.Literal(op) }),
      ...(payload as TObject).properties,
    },
    { description: summary },
  )
}
