import type { ChatState } from '@parley/client'
import type { ReactiveController, ReactiveControllerHost } from 'lit'

import type { Session } from './session.js'

/** A view of a session; it shows nothing until it has one. */
interface SessionView extends ReactiveControllerHost {
  readonly session: Session | undefined
}

/** Renders a view again when a part of the chat's state changes. */
export function followState<Value>(view: SessionView, select: (state: ChatState) => Value): void {
  view.addController(new Selected(view, select))
}

class Selected<Value> implements ReactiveController {
  readonly #host: SessionView
  readonly #select: (state: ChatState) => Value
  #session: Session | undefined
  #stop: (() => void) | undefined

  constructor(host: SessionView, select: (state: ChatState) => Value) {
    this.#host = host
    this.#select = select
  }

  hostUpdate(): void {
    const { session } = this.#host
    if (session === this.#session) return
    this.#stop?.()
    this.#session = session
    this.#stop = session?.store.subscribe(this.#select, () => this.#host.requestUpdate())
  }

  hostConnected(): void {
    this.#host.requestUpdate()
  }

  hostDisconnected(): void {
    this.#stop?.()
    this.#stop = undefined
    this.#session = undefined
  }
}
