import type { Api, Connection, Registration, ServerEvent } from '@parley/client'
import type { ReactiveController, ReactiveControllerHost } from 'lit'

import type { Session } from './session.js'

/** A view that shows data that the state of the chat does not have. */
export interface EventView extends ReactiveControllerHost {
  readonly session: Session | undefined
}

interface EventHandlers {
  /** Called with the state of the server at the beginning, and again if events may be lost. */
  registered(registration: Registration, session: Session): void
  received(events: readonly ServerEvent[], session: Session): void
}

/** Connects to the server for more events than the chat needs, while a view is shown. */
export function followEvents(
  view: EventView,
  registration: Api.RegisterQueueParams,
  handlers: EventHandlers,
): void {
  view.addController(new FollowedEvents(view, registration, handlers))
}

class FollowedEvents implements ReactiveController {
  readonly #view: EventView
  readonly #registration: Api.RegisterQueueParams
  readonly #handlers: EventHandlers
  #session: Session | undefined
  #connection: Connection | undefined

  constructor(view: EventView, registration: Api.RegisterQueueParams, handlers: EventHandlers) {
    this.#view = view
    this.#registration = registration
    this.#handlers = handlers
  }

  hostUpdate(): void {
    const { session } = this.#view
    if (session === this.#session) return
    this.hostDisconnected()
    this.#session = session
    if (session === undefined) return
    this.#connection = session.client.connection(this.#registration, {
      registered: (registration) => this.#handlers.registered(registration, session),
      received: (events) => this.#handlers.received(events, session),
      // The chat shows how it is connected.
      changed: () => {},
    })
    this.#connection.open()
  }

  hostConnected(): void {
    this.#view.requestUpdate()
  }

  hostDisconnected(): void {
    void this.#connection?.close()
    this.#session = this.#connection = undefined
  }
}
