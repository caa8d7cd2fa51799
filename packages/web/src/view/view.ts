import { LitElement, type PropertyValues } from 'lit'

import type { Session } from '../session/session.js'

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
  protected tell(type: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }))
  }
}

/** Defines an element, unless another copy of this package has done so. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}
