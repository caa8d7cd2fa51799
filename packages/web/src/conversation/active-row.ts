import type { MessageView } from './message-view.js'

interface PointedList extends HTMLElement {
  readonly currentId: number | undefined
  readonly rows: readonly MessageView[]
}

/** The message under the pointer or with the focus. The list is not rendered when it is another one. */
export class ActiveRow {
  readonly #list: PointedList
  #id: number | undefined

  constructor(list: PointedList) {
    this.#list = list
    for (const type of ['pointerover', 'focusin'] as const) {
      list.addEventListener(type, ({ target }) => {
        const row = target instanceof Element ? target.closest<MessageView>('.message') : null
        if (row !== null && list.contains(row)) this.set(row.messageId)
      })
    }
    // A finger that is lifted leaves too, and its click comes after that.
    list.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType !== 'touch') this.set(undefined)
    })
  }

  set(id: number | undefined): void {
    this.#id = id
    this.apply()
  }

  /** Tells the rows which of them is active, and which is reached by Tab. */
  apply(): void {
    const { rows, currentId } = this.#list
    for (const row of rows) {
      row.isActive = row.messageId === this.#id
      row.isCurrent = row.messageId === currentId
    }
  }
}
