import type { Message } from '@parley/client'
import { html } from 'lit'

import '../on-demand.js'
import { dialogTexts } from '../dialog-texts.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { openDialog } from '../view/dialog.js'
import { reasonOf } from '../view/reason.js'

const reasons = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const
const maxCharacters = 1000

/** Lets the user report a message to the moderators. */
export async function report(near: Node, message: Message, session: Session): Promise<void> {
  const submit = async (event: SubmitEvent): Promise<void> => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || submitter?.matches('.main') !== true) return
    event.preventDefault()
    const fields = new FormData(form)
    const report_type = reasons.find((reason) => reason === fields.get('reason')) ?? 'other'
    const written = fields.get('description')
    const description = typeof written === 'string' ? written.trim() : ''
    const problem = form.querySelector('[role=alert]')
    const show = (text: string): void => {
      if (problem !== null) problem.textContent = text
    }
    if (report_type === 'other' && description === '') {
      show(dialogTexts.reportNeedsText)
      form.querySelector('textarea')?.focus()
      return
    }
    try {
      await session.client.api.reportMessage({
        message_id: message.id,
        report_type,
        ...(description === '' ? {} : { description }),
      })
      form.closest('dialog')?.close()
    } catch (error) {
      show(texts.failed(reasonOf(error)))
    }
  }
  await openDialog(
    near,
    dialogTexts.report,
    html`<form method="dialog" class="menu" @submit=${submit}>
      <h2>${dialogTexts.report}</h2>
      <label class="menu"
        >${dialogTexts.reportReason}
        <select name="reason">
          ${reasons.map(
            (reason) => html`<option value=${reason}>${dialogTexts.reportReasons[reason]}</option>`,
          )}
        </select>
      </label>
      <label class="menu"
        >${dialogTexts.reportText}
        <textarea name="description" rows="3" dir="auto" maxlength=${maxCharacters}></textarea>
      </label>
      <span class="problem" role="alert"></span>
      <div class="edit-buttons">
        <button class="plain" value="" formnovalidate>${dialogTexts.cancel}</button>
        <button class="main">${dialogTexts.reportNow}</button>
      </div>
    </form>`,
  )
}
