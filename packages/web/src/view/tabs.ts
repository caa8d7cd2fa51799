import { html, nothing, type TemplateResult } from 'lit'

export interface Tabs<Tab extends string> {
  /** Begins the ids of the tabs. */
  readonly name: string
  readonly label: string
  readonly all: readonly Tab[]
  readonly titles: Readonly<Record<Tab, string>>
  readonly current: Tab
  readonly choose: (tab: Tab) => void
}

/** The tabs of a dialog: one stop for Tab, used with the arrow keys. */
export function tabList<Tab extends string>(tabs: Tabs<Tab>): TemplateResult {
  const { name, label, all, titles, current, choose } = tabs
  const press = (event: KeyboardEvent): void => {
    const index = all.indexOf(current)
    const last = all.length - 1
    const next = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key]
    const tab = all[next ?? -1]
    if (next === undefined || tab === undefined) return
    event.preventDefault()
    choose(tab)
    if (!(event.currentTarget instanceof HTMLElement)) return
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return html`<div class="tabs" role="tablist" aria-label=${label} @keydown=${press}>
    ${all.map(
      (tab) =>
        html`<button
          role="tab"
          id="${name}-tab-${tab}"
          aria-selected=${tab === current ? 'true' : 'false'}
          aria-controls=${tab === current ? `${name}-panel` : nothing}
          tabindex=${tab === current ? 0 : -1}
          @click=${() => choose(tab)}
        >
          ${titles[tab]}
        </button>`,
    )}
  </div>`
}

/** The contents of the chosen tab. */
export function tabPanel(name: string, current: string, content: unknown): TemplateResult {
  return html`<div
    class="settings-panel"
    role="tabpanel"
    id="${name}-panel"
    aria-labelledby="${name}-tab-${current}"
  >
    ${content}
  </div>`
}
