import type { TemplateResult } from 'lit'
import { html, literal } from 'lit/static-html.js'

import { followState } from '../session/follow-state.js'
import { dialogHead } from '../view/dialog.js'
import { tabList, tabPanel } from '../view/tabs.js'
import { define, View } from '../view/view.js'
import './emoji-section.js'
import './field-section.js'
import './folder-section.js'
import './invitation-section.js'
import './linkifier-section.js'
import { organizationTexts } from './organization-texts.js'
import { managesEmoji, managesInvitations } from './permissions.js'
import './user-section.js'

const sections = {
  users: literal`parley-user-section`,
  invitations: literal`parley-invitation-section`,
  folders: literal`parley-folder-section`,
  emoji: literal`parley-emoji-section`,
  linkifiers: literal`parley-linkifier-section`,
  fields: literal`parley-field-section`,
}
const allTabs = ['users', 'invitations', 'folders', 'emoji', 'linkifiers', 'fields'] as const
type Tab = (typeof allTabs)[number]

/** The sections of the organization that the user may change, one of which is shown. */
class OrganizationDialog extends View {
  static override properties = {
    ...View.properties,
    chosen: { state: true },
    note: { state: true },
  }
  declare chosen: Tab
  /** The result of the last action, or why it has failed. */
  declare note: string

  constructor() {
    super()
    this.chosen = 'users'
    this.note = ''
    followState(this, ({ me }) => me)
    followState(this, ({ organization }) => organization)
    followState(this, ({ groups }) => groups)
    followState(this, ({ emoji }) => emoji)
  }

  /** The others are for administrators only. */
  get #tabs(): readonly Tab[] {
    const { session } = this
    if (session === undefined || session.state.me.is_admin) return allTabs
    const own: Tab[] = []
    if (managesInvitations(session)) own.push('invitations')
    // The shown tab stays if the permission is taken away.
    if (managesEmoji(session) || own.length === 0) own.push('emoji')
    return own
  }

  get #tab(): Tab {
    const tabs = this.#tabs
    return tabs.includes(this.chosen) ? this.chosen : (tabs[0] ?? 'emoji')
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }

  protected override render(): TemplateResult {
    const { session } = this
    const report = (note: string): void => {
      this.note = note
    }
    const section = sections[this.#tab]
    return html`${dialogHead(organizationTexts.title)}
    ${tabList({
      name: 'organization',
      label: organizationTexts.sections,
      all: this.#tabs,
      titles: organizationTexts.tabs,
      current: this.#tab,
      choose: (tab) => {
        this.chosen = tab
        this.note = ''
      },
    })}
    ${tabPanel(
      'organization',
      this.#tab,
      html`<div>
        <div class="settings-body">
          <${section} .session=${session} .report=${report}></${section}>
        </div>
        <div role="status" class="settings-status">${this.note}</div>
      </div>`,
    )}`
  }
}

define('parley-organization', OrganizationDialog)
