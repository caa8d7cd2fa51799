import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { BusRefusals } from '../../../packages/core/src/events/bus/bus-refusals.js'
import type { EphemeralEvent } from '../../../packages/core/src/events/bus/bus.js'
import { EphemeralEvents } from '../../../packages/core/src/events/bus/ephemeral-events.js'
import { EventCatalogue } from '../../../packages/core/src/events/event-catalogue.js'
import { SchemaCompiler } from '../../../packages/core/src/http/parameters/schema-compiler.js'
import { Telemetry } from '../../../packages/core/src/kernel/telemetry/telemetry.js'
import { allEvents } from '../../../packages/core/src/resources/index.js'
import { FakeClock } from '../../support/fake-clock.js'
import { SampleBus } from './sample-log.js'

const person = { user_id: 1, email: 'ada@product.example' }
const typing = {
  message_type: 'direct',
  sender: person,
  recipients: [person],
  stream_id: 3,
  topic: 'lunch',
}
const editing = {
  sender_id: 1,
  message_id: 2,
  recipient: { type: 'channel', channel_id: 3, topic: 'lunch', user_ids: [1] },
}
/** Data of every kind that is sent past the log, with all their keys. */
const samples: Readonly<Record<string, object>> = {
  'typing/start': typing,
  'typing/stop': typing,
  'typing_edit_message/start': editing,
  'typing_edit_message/stop': editing,
  presence: {
    ...person,
    server_timestamp: 1.5,
    modern: { active_timestamp: 1, idle_timestamp: 2 },
    website: { client: 'website', status: 'active', timestamp: 1, pushable: false },
  },
}

function ground() {
  const bus = new SampleBus()
  const clock = new FakeClock()
  const warnings: unknown[] = []
  const warn = (_text: string, fields?: object): void => void warnings.push(fields)
  const logger = { debug() {}, info() {}, warn, error() {} }
  const compiler = new SchemaCompiler()
  const passed: EphemeralEvent[] = []
  const events = new EphemeralEvents(
    new EventCatalogue(allEvents),
    (schema) => compiler.compile(schema, { closedObjects: true }),
    bus,
    new BusRefusals(new Telemetry(), clock, logger),
    [(event) => passed.push(event)],
  )
  return { bus, clock, warnings, passed, events }
}

const eventOf = (kind: string, data: unknown): EphemeralEvent => ({
  organizationId: 1,
  kind,
  userIds: [1],
  data,
})

/** Copies of a value in which one part is of another form: a leaf is an object, or a key is added. */
function* distorted(value: unknown): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) {
    yield { html: '<script>' }
    return
  }
  if (Array.isArray(value)) {
    for (const item of distorted(value[0])) yield [item]
    return
  }
  yield { ...value, more: 1 }
  for (const [key, part] of Object.entries(value)) {
    for (const other of distorted(part)) yield { ...value, [key]: other }
  }
}

describe('the events that a bus passes on', () => {
  it('are of the kinds that are sent past the log', () => {
    const { bus, passed } = ground()

    for (const { kind } of allEvents) bus.publishEphemeral(eventOf(kind, samples[kind] ?? {}))
    bus.publishEphemeral(eventOf('unknown', {}))

    assert.deepEqual(passed.map(({ kind }) => kind).toSorted(), Object.keys(samples).toSorted())
  })

  it('have data of the schema of their kind, without anything else', () => {
    const { bus, passed } = ground()
    let sent = 0

    for (const [kind, data] of Object.entries(samples)) {
      for (const other of [undefined, null, [], 'text', ...distorted(data)]) {
        bus.publishEphemeral(eventOf(kind, other))
        sent += 1
      }
    }

    assert.ok(sent > 50, String(sent))
    assert.deepEqual(passed, [])
  })

  it('name an organization and users, whatever a bus passes', () => {
    const { bus, passed } = ground()
    const event = eventOf('presence', samples['presence'])

    for (const other of [
      { ...event, organizationId: '1' },
      { ...event, organizationId: -1 },
      { ...event, userIds: 'all' },
      { ...event, userIds: [{}] },
      { ...event, userIds: Array.from({ length: 20_001 }, () => 1) },
      { ...event, kind: { toString: () => 'presence' } },
      { ...event, more: 1 },
      null,
    ]) {
      bus.publishEphemeral(other as unknown as EphemeralEvent)
    }

    assert.deepEqual(passed, [])
  })

  it('are logged once a minute if they are not accepted', () => {
    const { bus, clock, warnings } = ground()
    const wrong = eventOf('message', {})

    for (let count = 0; count < 10; count += 1) bus.publishEphemeral(wrong)
    clock.advance(60)
    bus.publishEphemeral(wrong)

    assert.deepEqual(warnings, [
      { reason: 'form', messages: 1 },
      { reason: 'form', messages: 10 },
    ])
  })

  it('end with the server, although the bus lives longer', () => {
    const { bus, passed, events } = ground()

    events.close()
    bus.publishEphemeral(eventOf('presence', samples['presence']))

    assert.deepEqual(passed, [])
  })
})
