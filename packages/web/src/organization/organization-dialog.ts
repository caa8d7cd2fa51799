import { html, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { dialogHead } from '../view/dialog.js'
import { tabList, tabPanel } from '../view/tabs.js'
import { define, View } from '../view/view.js'
import './emoji-section.js'
import './field-section.js'
import './linkifier-section.js'
import { organizationTexts } from './organization-texts.js'
import './user-section.js'

const allTabs = ['users', 'emoji', 'linkifiers', 'fields'] as const
type Tab = (typeof allTabs)[number]

/** The sections of the organization that the user may change, one of which is shown. */
class OrganizationDialog extends View {
  static override properties = {
    ...View.properties,
    chosen: { state: true },
    note: { state: true },
  }
  declare chosen: Tab
  /** What the last action has done, or why it has failed. */
  declare note: string

  constructor() {
    super()
    this.chosen = 'users'
    this.note = ''
    followState(this, ({ me }) => me)
  }

  /** The others are for administrators only. */
  get #tabs(): readonly Tab[] {
    return this.session?.state.me.is_admin === true ? allTabs : ['emoji']
  }

  get #tab(): Tab {
    return this.#tabs.includes(this.chosen) ? this.chosen : 'emoji'
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }

  protected override render(): TemplateResult {
    const { session } = this
    const report = (note: string): void => {
      this.note = note
    }
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
        <div class="settings-body">${this.#section(session, report)}</div>
        <div role="status" class="settings-status">${this.note}</div>
      </div>`,
    )}`
  }

  #section(session: Session | undefined, report: (note: string) => void): TemplateResult {
    switch (this.#tab) {
      case 'users':
        return html`<parley-user-section
          .session=${session}
          .report=${report}
        ></parley-user-section>`
      case 'emoji':
        return html`<parley-emoji-section
          .session=${session}
          .report=${report}
        ></parley-emoji-section>`
      case 'linkifiers':
        return html`<parley-linkifier-section
          .session=${session}
          .report=${report}
        ></parley-linkifier-section>`
      case 'fields':
        return html`<parley-field-section
          .session=${session}
          .report=${report}
        ></parley-field-section>`
    }
  }
}

define('parley-organization', OrganizationDialog)
