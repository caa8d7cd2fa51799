import { LitElement, type PropertyValues } from 'lit'

import type { Session } from '../session/session.js'
import { tell, type PartEvent, type PartEvents } from './part-events.js'

/**
 * A part of `<parley-chat>`. It renders into the shadow root of that element, whose style sheets
 * and ids it shares.
 */
export class View extends LitElement {
  static override properties: Record<string, object> = { session: { attribute: false } }
  declare session: Session | undefined

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.requestUpdate()
  }

  /** An update of a view that was removed would subscribe again, and nothing would end that. */
  protected override shouldUpdate(_changed: PropertyValues): boolean {
    return this.isConnected
  }

  /** Tells the surrounding element what the user wants. */
  protected tell<Name extends keyof PartEvents>(...event: PartEvent<Name>): void {
    tell(this, ...event)
  }
}

/** Defines an element, unless another copy of this package has done so. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}
