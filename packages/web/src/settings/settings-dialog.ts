import { html, nothing, type TemplateResult } from 'lit'

import { dialogHead } from '../view/dialog.js'
import { define, View } from '../view/view.js'
import './display-settings.js'
import './later-settings.js'
import './notification-settings.js'
import './profile-settings.js'
import { settingsTexts } from './settings-texts.js'

const tabs = ['profile', 'notifications', 'later', 'display'] as const
type Tab = (typeof tabs)[number]

/** The sections of the settings, one of which is shown. */
class SettingsDialog extends View {
  static override properties = { ...View.properties, tab: { state: true } }
  declare tab: Tab

  constructor() {
    super()
    this.tab = 'profile'
  }

  protected override firstUpdated(): void {
    this.#focusTab()
  }

  protected override render(): TemplateResult {
    return html`${dialogHead(settingsTexts.title)}
      <div class="tabs" role="tablist" aria-label=${settingsTexts.sections} @keydown=${this.#press}>
        ${tabs.map(
          (tab) =>
            html`<button
              role="tab"
              id="settings-tab-${tab}"
              aria-selected=${tab === this.tab ? 'true' : 'false'}
              aria-controls=${tab === this.tab ? 'settings-panel' : nothing}
              tabindex=${tab === this.tab ? 0 : -1}
              @click=${() => (this.tab = tab)}
            >
              ${settingsTexts.tabs[tab]}
            </button>`,
        )}
      </div>
      <div
        class="settings-panel"
        role="tabpanel"
        id="settings-panel"
        aria-labelledby="settings-tab-${this.tab}"
      >
        ${this.#panel()}
      </div>`
  }

  #panel(): TemplateResult {
    const { session } = this
    switch (this.tab) {
      case 'profile':
        return html`<parley-profile-settings .session=${session}></parley-profile-settings>`
      case 'notifications':
        return html`<parley-notification-settings
          .session=${session}
        ></parley-notification-settings>`
      case 'later':
        return html`<parley-later-settings .session=${session}></parley-later-settings>`
      case 'display':
        return html`<parley-display-settings .session=${session}></parley-display-settings>`
    }
  }

  readonly #press = (event: KeyboardEvent): void => {
    const index = tabs.indexOf(this.tab)
    const last = tabs.length - 1
    const next = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key]
    const tab = tabs[next ?? -1]
    if (tab === undefined) return
    event.preventDefault()
    this.tab = tab
    void this.updateComplete.then(() => this.#focusTab())
  }

  #focusTab(): void {
    this.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }
}

define('parley-settings', SettingsDialog)
