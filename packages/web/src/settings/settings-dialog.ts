import { html, type TemplateResult } from 'lit'

import '../groups/group-settings.js'
import { dialogHead } from '../view/dialog.js'
import { tabList, tabPanel } from '../view/tabs.js'
import { define, View } from '../view/view.js'
import './display-settings.js'
import './later-settings.js'
import './notification-settings.js'
import './profile-settings.js'
import { settingsTexts } from './settings-texts.js'

const tabs = ['profile', 'notifications', 'later', 'display', 'groups'] as const
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
    this.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }

  protected override render(): TemplateResult {
    return html`${dialogHead(settingsTexts.title)}
    ${tabList({
      name: 'settings',
      label: settingsTexts.sections,
      all: tabs,
      titles: settingsTexts.tabs,
      current: this.tab,
      choose: (tab) => (this.tab = tab),
    })}
    ${tabPanel('settings', this.tab, this.#panel())}`
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
      case 'groups':
        return html`<parley-groups .session=${session}></parley-groups>`
    }
  }
}

define('parley-settings', SettingsDialog)
