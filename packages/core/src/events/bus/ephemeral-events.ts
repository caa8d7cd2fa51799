import { Type, type TSchema } from 'typebox'

import { Bounded } from '../../domain/bounded-schemas.js'
import type { EventCatalogue } from '../event-catalogue.js'
import type { BusRefusals } from './bus-refusals.js'
import type { EphemeralEvent, EventBus } from './bus.js'

type Check = (value: unknown) => boolean
type Listener = (event: EphemeralEvent) => void

/**
 * The events of the bus that are in no log. Another process, or the broker between, may send
 * anything: only kinds that are declared to be sent past the log are passed on, and only data of
 * their schemas.
 */
export class EphemeralEvents {
  readonly #checks = new Map<string, Check>()
  readonly #unsubscribe: () => void

  /** @param compile makes a function that checks values by a schema. */
  constructor(
    private readonly catalogue: Pick<EventCatalogue, 'find'>,
    private readonly compile: (schema: TSchema) => Check,
    bus: EventBus,
    private readonly refusals: BusRefusals,
    private readonly listeners: readonly Listener[],
  ) {
    this.#unsubscribe = bus.subscribe({
      onRecords() {},
      onHead() {},
      onEphemeral: (event) => this.#receive(event),
    })
  }

  /** The bus may be the application's own, and live longer. */
  close(): void {
    this.#unsubscribe()
  }

  #receive(event: EphemeralEvent): void {
    if (!this.#isValid(event)) this.refusals.note('form')
    else for (const listener of this.listeners) listener(event)
  }

  #isValid(event: Partial<EphemeralEvent> | null): boolean {
    const kind = event?.kind
    if (kind === undefined) return false
    let check = this.#checks.get(kind)
    if (check === undefined) {
      const data = this.catalogue.find(kind)?.ephemeral
      if (data === undefined) return false
      check = this.compile(
        Type.Object({
          organizationId: Bounded.id(),
          kind: Type.Literal(kind),
          userIds: Bounded.ids(),
          data,
        }),
      )
      this.#checks.set(kind, check)
    }
    return check(event)
  }
}
