import type { Message } from '@parley/client'
import { html } from 'lit'

import '../on-demand.js'
import { dialogTexts } from '../dialog-texts.js'
import type { Session } from '../session/session.js'
import { fromLocalMinute, toLocalMinute } from '../settings/local-minute.js'
import { texts } from '../texts.js'
import { now } from '../timers.js'
import { openDialog } from '../view/dialog.js'
import { reasonOf } from '../view/reason.js'
import { clockTime, dayName } from '../view/times.js'

const minute = 60
const hour = 60 * minute
const morningHour = 9
const days = { tomorrow: 1, week: 7 }

/** Lets the user choose when the server reminds them of a message. */
export async function remind(near: Node, message: Message, session: Session): Promise<void> {
  const submit = async (event: SubmitEvent): Promise<void> => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return
    if (submitter.value === 'none') return
    event.preventDefault()
    const fields = new FormData(form)
    const [note, chosen] = [fields.get('note'), fields.get('time')].map(textOf)
    const seconds = submitter.value === '' ? fromLocalMinute(chosen ?? '') : Number(submitter.value)
    try {
      await session.client.api.createMessageReminder({
        message_id: message.id,
        scheduled_delivery_timestamp: seconds,
        ...(note === undefined || note === '' ? {} : { note }),
      })
      form.closest('dialog')?.close()
    } catch (error) {
      const problem = form.querySelector('[role=alert]')
      if (problem !== null) problem.textContent = texts.failed(reasonOf(error))
    }
  }
  await openDialog(
    near,
    dialogTexts.remind,
    html`<form method="dialog" class="menu" @submit=${submit}>
      <h2>${dialogTexts.remind}</h2>
      <label class="menu"
        >${dialogTexts.reminderNote}
        <input
          name="note"
          dir="auto"
          autocomplete="off"
          maxlength=${session.state.organization.max_reminder_note_length ?? 1000}
        />
      </label>
      <div class="times">
        ${usualTimes().map(
          ([label, seconds]) =>
            html`<button class="plain" value=${seconds} formnovalidate>
              ${label} <span class="hint">${dayName(seconds)}, ${clockTime(seconds)}</span>
            </button>`,
        )}
      </div>
      <label class="menu"
        >${dialogTexts.otherTime}
        <input
          type="datetime-local"
          name="time"
          required
          min=${toLocalMinute(now() / 1000)}
          .value=${toLocalMinute(morningIn(days.tomorrow))}
      /></label>
      <span class="problem" role="alert"></span>
      <div class="edit-buttons">
        <button class="plain" value="none" formnovalidate>${dialogTexts.cancel}</button>
        <button class="main" value="">${dialogTexts.remindNow}</button>
      </div>
    </form>`,
  )
}

function usualTimes(): readonly (readonly [label: string, seconds: number])[] {
  const seconds = Math.ceil(now() / 1000)
  return [
    [dialogTexts.inMinutes(20), seconds + 20 * minute],
    [dialogTexts.inHours(1), seconds + hour],
    [dialogTexts.inHours(3), seconds + 3 * hour],
    [dialogTexts.tomorrow, morningIn(days.tomorrow)],
    [dialogTexts.inAWeek, morningIn(days.week)],
  ]
}

/** UNIX seconds of the beginning of a day's work. */
function morningIn(dayCount: number): number {
  const date = new Date(now())
  date.setDate(date.getDate() + dayCount)
  return date.setHours(morningHour, 0, 0, 0) / 1000
}

function textOf(value: FormDataEntryValue | null): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined
}
