import { tell } from '../view/part-events.js'
import type { MessageView } from './message-view.js'

interface KeyedList {
  readonly messages: readonly { readonly id: number }[]
  readonly currentId: number | undefined
  readonly rows: readonly MessageView[]
  focusRow(id: number): void
}

const pageRows = 10

/** The keys of the list of messages: one of them is reached by Tab, the others by arrows. */
export class ListKeys {
  readonly #list: KeyedList
  currentId: number | undefined
  #held: number | undefined
  #heldIds: readonly number[] = []

  constructor(list: KeyedList) {
    this.#list = list
  }

  /** Notes the row with the focus, before something changes. */
  hold(): void {
    const { rows } = this.#list
    const at = rows.findIndex((each) => each.matches(':focus-within'))
    // The list may have changed already, and the rows have not.
    this.#heldIds = at < 0 ? [] : rows.map(({ messageId }) => messageId)
    this.#held = this.#heldIds[at]
  }

  /** A message that was deleted does not take the focus with it: its neighbor gets it. */
  keep(): void {
    const held = this.#held
    const { messages } = this.#list
    if (held === undefined || messages.some(({ id }) => id === held)) return
    const present = new Set(messages.map(({ id }) => id))
    const at = this.#heldIds.indexOf(held)
    const [before, after] = [this.#heldIds.slice(0, at).toReversed(), this.#heldIds.slice(at + 1)]
    const next = [...after, ...before].find((id) => present.has(id))
    if (next !== undefined) this.#list.focusRow(next)
  }

  press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || event.metaKey) return
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    if (event.ctrlKey) {
      const side = ({ Home: 'before', End: 'after' } as const)[event.key]
      if (side === undefined || !target.matches('.row')) return
      event.preventDefault()
      tell(target, 'parley-leave-list', side)
      return
    }
    if (target.matches('.row')) this.#pressOnRow(event, target)
    else if (event.key === 'Escape') {
      const row = target.closest<MessageView>('.message')
      if (row !== null) this.#list.focusRow(row.messageId)
    }
  }

  #pressOnRow(event: KeyboardEvent, row: HTMLElement): void {
    const { rows } = this.#list
    const index = rows.findIndex((each) => each.contains(row))
    const next = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      PageUp: Math.max(0, index - pageRows),
      PageDown: Math.min(rows.length - 1, index + pageRows),
      Home: 0,
      End: rows.length - 1,
    }[event.key]
    const id = rows[next ?? -1]?.messageId
    if (id !== undefined) {
      event.preventDefault()
      this.#list.focusRow(id)
    } else if (event.key === 'Enter' || event.key === 'F10') {
      event.preventDefault()
      rows[index]?.focusActions()
    }
  }
}
