import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { followState } from '../session/follow-state.js'
import { parseHtml } from '../html/parse-html.js'
import { localTime } from '../view/times.js'
import { define } from '../view/view.js'
import { excerptOf, ItemList } from './item-list.js'
import { laterTexts } from './later-texts.js'

/** The messages of which the user is reminded. */
class ReminderList extends ItemList {
  constructor() {
    super()
    followState(this, ({ reminders }) => reminders)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const reminders = [...session.state.reminders.values()].sort(
      (one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp,
    )
    const items = repeat(
      reminders,
      ({ reminder_id }) => reminder_id,
      ({ reminder_id, rendered_content, scheduled_delivery_timestamp, failed }) => {
        const text = parseHtml(rendered_content).textContent.trim()
        return html`<li>
          <div class="quiet-text">
            ${localTime(scheduled_delivery_timestamp)}
            ${failed ? html`<strong>${laterTexts.failed}</strong>` : nothing}
          </div>
          <p dir="auto">${text}</p>
          <div class="edit-buttons">
            ${this.deleteButton(excerptOf(text), () =>
              session.client.api.deleteReminder({ reminder_id }),
            )}
          </div>
        </li>`
      },
    )
    return this.list(
      laterTexts.reminders,
      laterTexts.noReminders,
      reminders.length === 0 ? [] : [html`${items}`],
    )
  }
}

define('parley-reminders', ReminderList)
