import type { Api, Destination } from '@parley/client'
import { html } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { now } from '../timers.js'
import { openDialog } from '../view/dialog.js'
import { placeName } from '../view/place-name.js'
import { reasonOf } from '../view/reason.js'
import { laterTexts } from './later-texts.js'
import { fromLocalMinute, toLocalMinute } from './local-minute.js'

/** When the day's work begins. */
const morningHour = 9

/**
 * Lets the user choose when the server sends the text of a field, which is empty then.
 *
 * @returns whether it is scheduled.
 */
export async function scheduleText(
  opener: EventTarget | null,
  session: Session | undefined,
  to: Destination | undefined,
  field: HTMLTextAreaElement | null,
): Promise<boolean> {
  if (!(opener instanceof HTMLElement) || session === undefined) return false
  if (to === undefined || field === null) return false
  const isScheduled = await schedule(opener, session, to, field.value.trim())
  if (isScheduled) {
    field.value = ''
    field.focus()
  }
  return isScheduled
}

async function schedule(
  opener: HTMLElement,
  session: Session,
  to: Destination,
  content: string,
): Promise<boolean> {
  let isScheduled = false
  const { me } = session.state
  const submit = async (event: SubmitEvent): Promise<void> => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || submitter?.className !== 'main') return
    event.preventDefault()
    const problem = form.querySelector('[role=alert]')
    const seconds = fromLocalMinute(form.querySelector('input')?.value ?? '')
    try {
      await session.client.api.createScheduledMessage({
        ...recipientOf(to),
        content,
        // Messages that users write to themselves for later are news then.
        read_by_sender: !('direct' in to) || to.direct.some((id) => id !== me.user_id),
        scheduled_delivery_timestamp: seconds,
      })
      isScheduled = true
      form.closest('dialog')?.close()
    } catch (error) {
      if (problem !== null) problem.textContent = texts.failed(reasonOf(error))
    }
  }
  await openDialog(
    opener,
    texts.sendLater,
    html`<form method="dialog" class="menu" @submit=${submit}>
      <h2>${texts.sendLater}</h2>
      <div>${laterTexts.scheduleTo(placeName(session.placeOfDestination(to), session))}</div>
      <label
        >${laterTexts.time}
        <input
          type="datetime-local"
          required
          min=${toLocalMinute(now() / 1000)}
          .value=${toLocalMinute(nextMorning())}
      /></label>
      <span role="alert"></span>
      <button class="main">${laterTexts.scheduleNow}</button>
      <button class="plain" value="" formnovalidate>${dialogTexts.cancel}</button>
    </form>`,
  )
  return isScheduled
}

function recipientOf(
  to: Destination,
): Pick<Api.CreateScheduledMessageParams, 'type' | 'to' | 'topic'> {
  return 'channel' in to
    ? { type: 'channel', to: to.channel, topic: to.topic }
    : { type: 'direct', to: to.direct }
}

/** UNIX seconds. */
function nextMorning(): number {
  const date = new Date(now())
  if (date.getHours() >= morningHour) date.setDate(date.getDate() + 1)
  return date.setHours(morningHour, 0, 0, 0) / 1000
}
