interface KeyedList {
  readonly currentId: number | undefined
  readonly rows: readonly HTMLElement[]
  focusRow(id: number): void
}

const pageRows = 10

/** The keys of the list of messages: one of them is reached by Tab, the others by arrows. */
export class ListKeys {
  readonly #list: KeyedList
  currentId: number | undefined

  constructor(list: KeyedList) {
    this.#list = list
  }

  press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || event.metaKey || event.ctrlKey) return
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    if (target.closest('[role=toolbar]') !== null) this.#pressInToolbar(event, target)
    else if (target.matches('.row')) this.#pressOnRow(event, target)
    else if (event.key === 'Escape' && !event.isComposing) {
      const row = target.closest<HTMLElement>('.message')
      if (row !== null) this.#list.focusRow(Number(row.dataset['id']))
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
    const id = rows[next ?? -1]?.dataset['id']
    if (id !== undefined) {
      event.preventDefault()
      this.#list.focusRow(Number(id))
    } else if (event.key === 'Enter' || event.key === 'F10') {
      event.preventDefault()
      row.querySelector<HTMLElement>('.toolbar button')?.focus()
    }
  }

  #pressInToolbar(event: KeyboardEvent, target: HTMLElement): void {
    const buttons = [...(target.closest('[role=toolbar]')?.querySelectorAll('button') ?? [])]
    const index = buttons.findIndex((button) => button === target)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      buttons.at((index + step) % buttons.length)?.focus()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      target.closest<HTMLElement>('.row')?.focus()
    }
  }
}
