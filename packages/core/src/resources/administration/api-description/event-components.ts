import { Type, type TSchema } from 'typebox'

import type { EventDefinition } from '../../../events/event.js'

/** The properties of an event definition that its schema needs. */
type DescribedEvent = Pick<EventDefinition, 'kind' | 'type' | 'op' | 'summary' | 'payload'>

/** Sent from time to time to a queue without other events; not stored in the event log. */
export const heartbeat: DescribedEvent = {
  kind: 'heartbeat',
  type: 'heartbeat',
  summary: 'No other event has occurred; the queue still exists.',
  payload: Type.Object({}),
}

/**
 * The components of the OpenAPI document that describe events: `Event`, the union of all kinds, and
 * one component for each kind, such as `UserGroupAddMembersEvent`.
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

/** One event as a queue returns it: its `id`, its type, and the fields of its kind. */
export function eventSchema({ type, op, summary, payload }: DescribedEvent): TSchema {
  return Type.Object(
    {
      id: Type.Integer(),
      type: Type.Literal(type),
      ...(op === undefined ? {} : { op: Type.Literal(op) }),
      ...payload.properties,
    },
    { description: summary },
  )
}
