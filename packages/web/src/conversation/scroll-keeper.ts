import type { MessageView } from './message-view.js'

/** Nearer to the end than this counts as being there. */
const endPixels = 24

/**
 * Keeps the visible rows in their place when rows come, go or grow. Browsers do that themselves,
 * but not at the very top, and some not at all.
 */
export class ScrollKeeper {
  readonly #scroller: HTMLElement
  readonly #rows: () => readonly MessageView[]
  readonly #observer: ResizeObserver
  /** The row that stays where it is, with its distance from the top; undefined at the end. */
  #anchor: { readonly row: MessageView; readonly id: number; readonly top: number } | undefined
  /** Where it was last put, to tell the reader's scrolling from its own. */
  #put = -1
  /** Where it was when that was last noted. */
  #noted = 0

  /** @param rows in order. */
  constructor(scroller: HTMLElement, content: HTMLElement, rows: () => readonly MessageView[]) {
    this.#scroller = scroller
    this.#rows = rows
    this.#observer = new ResizeObserver(() => this.restore())
    this.#observer.observe(content)
    this.#observer.observe(scroller)
  }

  /** Whether new rows come into view by themselves. */
  get isAtEnd(): boolean {
    return this.#anchor === undefined
  }

  /** Notes the first visible row; for each `scroll` event. */
  note(): void {
    this.#noted = this.#scroller.scrollTop
    if (Math.abs(this.#scroller.scrollTop - this.#put) < 1) return
    this.#put = -1
    if (this.#endDistance <= endPixels) this.#anchor = undefined
    else this.#hold(this.#firstVisible())
  }

  /** Puts everything back to its place, after a change of rows or their sizes. */
  restore(): void {
    // The reader has scrolled, and the event comes later than the change that calls this.
    if (this.#isScrolled) {
      this.note()
      return
    }
    const anchor = this.#anchor
    if (anchor === undefined) {
      this.toEnd()
      return
    }
    let row: MessageView | undefined = anchor.row
    if (!row.isConnected || row.messageId !== anchor.id) row = this.#rowOf(anchor.id)
    if (row === undefined) return
    const moved = this.#topOf(row) - anchor.top
    if (Math.abs(moved) >= 0.5) this.#put = this.#scrollTo(this.#scroller.scrollTop + moved)
  }

  toEnd(): void {
    this.#anchor = undefined
    this.#put = this.#scrollTo(this.#scroller.scrollHeight)
  }

  /** Shows a row, in the given part of the height. @returns whether there is such a row. */
  show(id: number, share: number): boolean {
    const row = this.#rowOf(id)
    if (row === undefined) return false
    const wanted = this.#scroller.clientHeight * share
    this.#put = this.#scrollTo(this.#scroller.scrollTop + this.#topOf(row) - wanted)
    if (this.#endDistance <= endPixels) this.#anchor = undefined
    else this.#hold(row)
    return true
  }

  stop(): void {
    this.#observer.disconnect()
  }

  /** The rows of which something is visible. */
  visible(): MessageView[] {
    const found: MessageView[] = []
    const rows = this.#rows()
    const height = this.#scroller.clientHeight
    for (let index = this.#firstIndex(); index < rows.length; index += 1) {
      const row = rows[index]
      if (row === undefined || this.#topOf(row) >= height) break
      found.push(row)
    }
    return found
  }

  /** Whether the end of a row is visible. */
  showsEndOf(row: HTMLElement): boolean {
    const bottom = this.#topOf(row) + row.offsetHeight
    return bottom > 0 && bottom <= this.#scroller.clientHeight + 1
  }

  get #endDistance(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller
    return scrollHeight - clientHeight - scrollTop
  }

  /** A shorter content moves the end; that is no scrolling of the reader. */
  get #isScrolled(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller
    const noted = Math.min(this.#noted, scrollHeight - clientHeight)
    return Math.abs(scrollTop - noted) >= 1
  }

  #scrollTo(top: number): number {
    this.#scroller.scrollTop = top
    this.#noted = this.#scroller.scrollTop
    return this.#noted
  }

  #hold(row: MessageView | undefined): void {
    if (row === undefined) return
    this.#anchor = { row, id: row.messageId, top: this.#topOf(row) }
  }

  #topOf(row: HTMLElement): number {
    return row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top
  }

  #firstVisible(): MessageView | undefined {
    return this.#rows()[this.#firstIndex()]
  }

  /** Rows are in order, so half of the rest is left out each time. */
  #firstIndex(): number {
    const rows = this.#rows()
    let low = 0
    let high = rows.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const row = rows[middle]
      if (row !== undefined && this.#topOf(row) + row.offsetHeight <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #rowOf(id: number): MessageView | undefined {
    return this.#rows().find(({ messageId }) => messageId === id)
  }
}
