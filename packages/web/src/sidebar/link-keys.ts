/** The keys of a list of links: one of them is reached by Tab, the others by arrows. */
export class LinkKeys {
  readonly #list: HTMLElement
  readonly #selector: string
  #current: HTMLElement | undefined

  constructor(list: HTMLElement, selector = '.link') {
    this.#list = list
    this.#selector = selector
  }

  get #links(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>(this.#selector)]
  }

  note(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement) || !target.matches(this.#selector)) return
    this.#current = target
    this.apply()
  }

  /** After each rendering. */
  apply(): void {
    const links = this.#links
    const isThere = this.#current !== undefined && links.includes(this.#current)
    const first = links.find((link) => link.getAttribute('aria-current') === 'page') ?? links[0]
    const current = isThere ? this.#current : first
    for (const link of links) link.tabIndex = link === current ? 0 : -1
  }

  press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const links = this.#links
    const index = links.findIndex((link) => link === event.target)
    if (index < 0) return
    const next = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: links.length - 1,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    links[Math.max(0, Math.min(links.length - 1, next))]?.focus()
  }
}
