import { html, type TemplateResult } from 'lit'

import '../groups/group-settings.js'
import { dialogHead } from '../view/dialog.js'
import { tabList, tabPanel } from '../view/tabs.js'
import { define, View } from '../view/view.js'
import './account-settings.js'
import './bot-list.js'
import './display-settings.js'
import './file-list.js'
import './later-settings.js'
import './notification-settings.js'
import './profile-settings.js'
import { settingsTexts } from './settings-texts.js'

const tabs = [
  'profile',
  'notifications',
  'later',
  'files',
  'bots',
  'display',
  'groups',
  'account',
] as const
type Tab = (typeof tabs)[number]

/** The sections of the settings, one of which is shown. */
class SettingsDialog extends View {
  static override properties = {
    ...View.properties,
    tab: { state: true },
    note: { state: true },
  }
  declare tab: Tab
  /** What the last action of a list has done, or why it has failed. */
  declare note: string

  constructor() {
    super()
    this.tab = 'profile'
    this.note = ''
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
      choose: (tab) => {
        this.tab = tab
        this.note = ''
      },
    })}
    ${tabPanel('settings', this.tab, this.#panel())}`
  }

  #reporting(list: (report: (note: string) => void) => TemplateResult): TemplateResult {
    const report = (note: string): void => {
      this.note = note
    }
    return html`<div>
      <div class="settings-body">${list(report)}</div>
      <div role="status" class="settings-status">${this.note}</div>
    </div>`
  }

  #panel(): TemplateResult {
    const { session } = this
    switch (this.tab) {
      case 'profile':
        return html`<parley-profile-settings .session=${session}></parley-profile-settings>`
      case 'account':
        return html`<parley-account-settings .session=${session}></parley-account-settings>`
      case 'notifications':
        return html`<parley-notification-settings
          .session=${session}
        ></parley-notification-settings>`
      case 'later':
        return html`<parley-later-settings .session=${session}></parley-later-settings>`
      case 'files':
        return this.#reporting(
          (report) =>
            html`<parley-own-files .session=${session} .report=${report}></parley-own-files>`,
        )
      case 'bots':
        return this.#reporting(
          (report) =>
            html`<parley-own-bots .session=${session} .report=${report}></parley-own-bots>`,
        )
      case 'display':
        return html`<parley-display-settings .session=${session}></parley-display-settings>`
      case 'groups':
        return html`<parley-groups .session=${session}></parley-groups>`
    }
  }
}

define('parley-settings', SettingsDialog)
