import type { GetMessageHistoryResult, Message } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { htmlContent } from '../html/html-content.js'
import { narrowOf } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { openDialog } from '../view/dialog.js'
import { localTime } from '../view/times.js'
import type { ActionView } from './message-actions.js'
import { moveMessage, moveTitle } from './move-dialog.js'
import { movesOf } from './move-rules.js'
import { pageActionsOf, pageActionValue, tellPage } from './page-actions.js'

type Version = GetMessageHistoryResult['message_history'][number]

/** Names of more readers are only counted. */
const maxNames = 500
/** The server changes no more in a call. */
const maxUnread = 5000

/**
 * Lets the user choose from the less usual actions for a message, and does it.
 *
 * @returns whether another place is shown now.
 */
export async function actInDialog(
  view: ActionView,
  message: Message,
  session: Session,
): Promise<boolean> {
  const name = await chooseAction(view, message, session)
  const action = pageActionsOf(view).find((each) => name === pageActionValue(each))
  if (action !== undefined) tellPage(view, { name: action.name, message })
  if (name === 'readers') await showReaders(view, message, session)
  if (name === 'star') {
    const isStarred = message.flags.includes('starred')
    await session.client.api.updateMessageFlags({
      messages: [message.id],
      op: isStarred ? 'remove' : 'add',
      flag: 'starred',
    })
  }
  if (name === 'unread') {
    view.keepUnread()
    await session.client.api.updateMessageFlagsForNarrow({
      anchor: message.id,
      num_before: 0,
      num_after: maxUnread,
      narrow: narrowOf(session.placeOf(message), session.state.me.user_id),
      op: 'remove',
      flag: 'read',
    })
  }
  if (name !== 'move') return false
  const place = await moveMessage(view, message, session)
  if (place === undefined || view.place?.kind !== 'topic') return false
  const target = { place, near: message.id }
  view.dispatchEvent(new CustomEvent('parley-go', { detail: target, bubbles: true }))
  return true
}

/** @returns the name of the action. */
function chooseAction(near: Node, message: Message, session: Session): Promise<string> {
  const moves = movesOf(message, session.state)
  const hasReceipts = session.state.organization.realm_enable_read_receipts === true
  return openDialog(
    near,
    texts.actions,
    html`<form method="dialog" class="menu">
      ${button('star', message.flags.includes('starred') ? dialogTexts.unstar : dialogTexts.star)}
      ${button('unread', dialogTexts.markUnread)}
      ${hasReceipts ? button('readers', dialogTexts.readers) : nothing}
      ${moves === undefined ? nothing : button('move', moveTitle(moves))}
      ${pageActionsOf(near).map((action) => button(pageActionValue(action), action.label))}
      ${button('', dialogTexts.cancel)}
    </form>`,
  )
}

/** Shows what has been changed in a message, when and by whom, the newest first. */
export async function showHistory(near: Node, message: Message, session: Session): Promise<void> {
  const { message_history: versions } = await session.client.api.getMessageHistory({
    message_id: message.id,
  })
  const shown = versions.toReversed().map((version) => versionView(version, session))
  await showList(near, texts.history, shown)
}

function versionView(version: Version, session: Session): TemplateResult {
  const { user_id, timestamp, prev_topic, topic, prev_stream } = version
  const { content_html_diff: difference, prev_content, rendered_content } = version
  const places = [
    ...(prev_stream === undefined
      ? []
      : [
          dialogTexts.movedFrom(
            channelName(prev_stream, session),
            channelName(version.stream, session),
          ),
        ]),
    ...(prev_topic === undefined
      ? []
      : [dialogTexts.movedFrom(prev_topic || texts.noTopic, topic || texts.noTopic)]),
  ]
  return html`${session.nameOf(user_id ?? 0)}
    <span class="mark">${localTime(timestamp)}</span>
    ${places.map((place) => html`<div>${place}</div>`)}
    ${
      places.length > 0 && prev_content === undefined
        ? nothing
        : html`<div
            class="content"
            ${htmlContent(difference ?? rendered_content, session, true)}
          ></div>`
    }`
}

function channelName(id: number | undefined, { state }: Session): string {
  return `#${state.channels.get(id ?? -1)?.name ?? id}`
}

/** Shows who has read a message, of those who let others know. */
async function showReaders(near: Node, message: Message, session: Session): Promise<void> {
  const { user_ids } = await session.client.api.getReadReceipts({ message_id: message.id })
  const names = user_ids.slice(0, maxNames).map((id) => session.nameOf(id))
  await showList(near, dialogTexts.readBy(user_ids.length), names.sort())
}

async function showList(near: Node, title: string, items: readonly unknown[]): Promise<void> {
  await openDialog(
    near,
    title,
    html`<form method="dialog">
      <h2>${title}</h2>
      <ul>
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>
      ${button('', dialogTexts.close)}
    </form>`,
  )
}

function button(value: string, text: string): TemplateResult {
  return html`<button class="plain" value=${value}>${text}</button>`
}
