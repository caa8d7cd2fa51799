import type { TemplateResult } from 'lit'
import { html, literal } from 'lit/static-html.js'

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

const sections = {
  profile: literal`parley-profile-settings`,
  notifications: literal`parley-notification-settings`,
  later: literal`parley-later-settings`,
  files: literal`parley-own-files`,
  bots: literal`parley-own-bots`,
  display: literal`parley-display-settings`,
  groups: literal`parley-groups`,
  account: literal`parley-account-settings`,
}

/** The sections of the settings, one of which is shown. */
class SettingsDialog extends View {
  static override properties = {
    ...View.properties,
    tab: { state: true },
    note: { state: true },
  }
  declare tab: Tab
  /** The result of the last action of a list, or why it has failed. */
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

  #panel(): TemplateResult {
    const { session, tab } = this
    const section = sections[tab]
    if (tab !== 'files' && tab !== 'bots') {
      return html`<${section} .session=${session}></${section}>`
    }
    const report = (note: string): void => {
      this.note = note
    }
    return html`<div>
      <div class="settings-body">
        <${section} .session=${session} .report=${report}></${section}>
      </div>
      <div role="status" class="settings-status">${this.note}</div>
    </div>`
  }
}

define('parley-settings', SettingsDialog)
