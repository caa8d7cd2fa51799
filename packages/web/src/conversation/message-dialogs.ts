import type { Api, Message } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { htmlContent } from '../html/html-content.js'
import { narrowOf } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { openDialog } from '../view/dialog.js'
import { localTime } from '../view/times.js'

type Version = Api.GetMessageHistoryResult['message_history'][number]

/** Names of more readers are only counted. */
const maxNames = 500
/** The server changes no more in a call. */
const maxUnread = 5000

export async function toggleStar(message: Message, session: Session): Promise<void> {
  await session.client.api.updateMessageFlags({
    messages: [message.id],
    op: message.flags.includes('starred') ? 'remove' : 'add',
    flag: 'starred',
  })
}

/** Marks a message and the later ones of its conversation as unread. */
export async function markUnreadFrom(message: Message, session: Session): Promise<void> {
  await session.client.api.updateMessageFlagsForNarrow({
    anchor: message.id,
    num_before: 0,
    num_after: maxUnread,
    narrow: narrowOf(session.placeOf(message), session),
    op: 'remove',
    flag: 'read',
  })
}

/** Shows the changes of a message, with their times and users, the newest first. */
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
export async function showReaders(near: Node, message: Message, session: Session): Promise<void> {
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
