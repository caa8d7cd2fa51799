// First: the other imports need the decorator polyfill of the public entry point.
import '@parley/core'
import type { ValidateFunction } from 'ajv'

import { SchemaCompiler } from '../../packages/core/src/http/parameters/schema-compiler.js'
import {
  eventSchema,
  heartbeat,
} from '../../packages/core/src/resources/administration/api-description/index.js'
import { allEvents } from '../../packages/core/src/resources/index.js'

const compiler = new SchemaCompiler()
const validators = new Map<string, ValidateFunction>()
const definitions = new Map([...allEvents, heartbeat].map((event) => [event.kind, event]))

/** Throws unless an event has the shape that its kind declares, without other keys. */
export function checkEvent(event: { type: string; op?: unknown }): void {
  const kind = typeof event.op === 'string' ? `${event.type}/${event.op}` : event.type
  const definition = definitions.get(kind) ?? definitions.get(event.type)
  if (definition === undefined) throw new Error(`No event ${kind} is declared`)
  let validate = validators.get(kind)
  if (validate === undefined) {
    validate = compiler.compile(eventSchema(definition), { closedObjects: true })
    validators.set(kind, validate)
  }
  if (validate(event)) return
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`,
  )
  throw new Error(`${kind} does not have the declared shape: ${problems.join('; ')}`)
}
