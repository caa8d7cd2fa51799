import type { ScheduledMessage } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import type { Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { placeName } from '../view/place-name.js'
import { localTime } from '../view/times.js'
import { define } from '../view/view.js'
import { excerptOf, ItemList } from './item-list.js'
import { laterTexts } from './later-texts.js'
import { fromLocalMinute, toLocalMinute } from './local-minute.js'
import { settingsTexts } from './settings-texts.js'

/** The messages that the server sends later. */
class ScheduledList extends ItemList {
  static override properties = { ...ItemList.properties, edited: { state: true } }
  declare edited: ScheduledMessage | undefined

  constructor() {
    super()
    followState(this, ({ scheduledMessages }) => scheduledMessages)
    followState(this, ({ channels }) => channels)
    followState(this, ({ users }) => users)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, edited } = this
    if (session === undefined) return nothing
    const messages = new Map(session.state.scheduledMessages)
    // The message that the user is editing stays, also when it has been sent meanwhile.
    if (edited !== undefined) messages.set(edited.scheduled_message_id, edited)
    const inOrder = [...messages.values()].sort(
      (one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp,
    )
    const items = repeat(
      inOrder,
      ({ scheduled_message_id: id }) => id,
      (message) =>
        message === edited ? this.#form(message, session) : this.#item(message, session),
    )
    return this.list(
      laterTexts.scheduled,
      laterTexts.noScheduled,
      inOrder.length === 0 ? [] : [html`${items}`],
    )
  }

  #item(message: ScheduledMessage, session: Session): TemplateResult {
    const { scheduled_message_id, content, failed } = message
    const what = excerptOf(content)
    return html`<li>
      <div class="quiet-text">
        ${placeName(placeOf(message, session), session)} ·
        ${localTime(message.scheduled_delivery_timestamp)}
        ${failed ? html`<strong>${laterTexts.failed}</strong>` : nothing}
      </div>
      <p dir="auto">${content}</p>
      <div class="edit-buttons">
        ${this.button(settingsTexts.edit, laterTexts.editWhat(what), () => {
          this.edited = message
          void this.updateComplete.then(() => this.querySelector('textarea')?.focus())
        })}
        ${this.deleteButton(what, () =>
          session.client.api.deleteScheduledMessage({ scheduled_message_id }),
        )}
      </div>
    </li>`
  }

  #form(message: ScheduledMessage, session: Session): TemplateResult {
    const { scheduled_message_id, content, scheduled_delivery_timestamp: seconds } = message
    const time = toLocalMinute(seconds)
    const end = (): void => {
      this.edited = undefined
      this.focusTitle()
    }
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault()
      if (!(event.target instanceof HTMLFormElement)) return
      const newContent = event.target.querySelector('textarea')?.value ?? content
      const newTime = event.target.querySelector('input')?.value ?? time
      const isSaved = await this.save(excerptOf(newContent), () =>
        session.client.api.updateScheduledMessage({
          scheduled_message_id,
          ...(newContent === content ? {} : { content: newContent }),
          ...(newTime === time ? {} : { scheduled_delivery_timestamp: fromLocalMinute(newTime) }),
        }),
      )
      if (isSaved) end()
    }
    return html`<li>
      <form @submit=${submit}>
        <div class="quiet-text">${placeName(placeOf(message, session), session)}</div>
        <label class="pair"
          ><span>${laterTexts.text}</span>
          <textarea
            rows="3"
            dir="auto"
            required
            maxlength=${session.state.organization.max_message_length ?? 10_000}
            .value=${content}
          ></textarea>
        </label>
        <label class="pair"
          ><span>${laterTexts.time}</span>
          <input type="datetime-local" required .value=${time} />
        </label>
        ${this.formButtons(end)}
      </form>
    </li>`
  }
}

function placeOf({ to, topic }: ScheduledMessage, session: Session): Place {
  if (typeof to !== 'number') return session.direct(to)
  return { kind: 'topic', channelId: to, topic: topic ?? '' }
}

define('parley-scheduled', ScheduledList)
