import { View } from './view.js'

/** A row of a list. It is an element of its own, so that a change of it does not render the list. */
export class Row extends View {
  /** Renders changes now: the list measures its rows, and gives them the focus. */
  renderNow(): void {
    if (this.isUpdatePending) this.performUpdate()
  }
}
