// First: what follows needs the set-up of the product's entry.
import '@parley/core'
import { Ajv, type ValidateFunction } from 'ajv'

import type { EventDefinition } from '../../packages/core/src/events/event.js'
import { allEvents } from '../../packages/core/src/resources/index.js'

const ajv = new Ajv({ strict: false })
const validators = new Map<string, ValidateFunction>()
const definitions = new Map<string, EventDefinition>(allEvents.map((event) => [event.kind, event]))

/** Throws unless an event has the shape that its kind declares. */
export function checkEvent(event: { type: string; op?: unknown }): void {
  if (event.type === 'heartbeat') return
  const kind = typeof event.op === 'string' ? `${event.type}/${event.op}` : event.type
  const definition = definitions.get(kind) ?? definitions.get(event.type)
  if (definition === undefined) throw new Error(`No event ${kind} is declared`)
  let validate = validators.get(kind)
  if (validate === undefined) {
    validate = ajv.compile(definition.payload)
    validators.set(kind, validate)
  }
  if (!validate(event)) {
    throw new Error(`${kind} has another shape than declared: ${ajv.errorsText(validate.errors)}`)
  }
}
