import { html, type TemplateResult } from 'lit'

import { define } from '../view/view.js'
import './draft-list.js'
import './reminder-list.js'
import './scheduled-list.js'
import { Section } from './section.js'
import './snippet-list.js'

/** Messages that are sent later, and texts that are used again. */
class LaterSettings extends Section {
  protected override render(): TemplateResult {
    const { session } = this
    const report = (note: string): void => {
      this.note = note
    }
    return html`<div class="settings-body">
        <parley-drafts .session=${session} .report=${report}></parley-drafts>
        <parley-scheduled .session=${session} .report=${report}></parley-scheduled>
        <parley-reminders .session=${session} .report=${report}></parley-reminders>
        <parley-snippets .session=${session} .report=${report}></parley-snippets>
      </div>
      ${this.status()}`
  }
}

define('parley-later-settings', LaterSettings)
