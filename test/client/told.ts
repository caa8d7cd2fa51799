import type { ConnectionState, Registration, ServerEvent } from '@parley/client'

/** What a client has been told. */
export class Told {
  readonly registrations: Registration[] = []
  readonly events: ServerEvent[] = []
  readonly states: ConnectionState[] = []

  registered(registration: Registration): void {
    this.registrations.push(registration)
  }

  received(events: readonly ServerEvent[]): void {
    this.events.push(...events)
  }

  changed(state: ConnectionState): void {
    this.states.push(state)
  }

  get contents(): readonly string[] {
    return this.events.flatMap((event) => (event.type === 'message' ? [event.message.content] : []))
  }

  get isConnected(): boolean {
    return this.states.at(-1)?.kind === 'connected'
  }
}
