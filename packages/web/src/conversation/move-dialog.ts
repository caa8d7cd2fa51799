import type { ChannelState, Message } from '@parley/client'
import { html, nothing, render, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import type { Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { showDialog } from '../view/dialog.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { mayChangeTopic, movesOf, targetsOf, type Moves } from './message-rights.js'

const modes = ['change_one', 'change_later', 'change_all'] as const

export function moveTitle({ toTopics, toChannels }: Moves): string {
  if (!toChannels) return dialogTexts.move
  return toTopics ? dialogTexts.moveAnywhere : dialogTexts.moveToChannel
}

/** Lets the user move messages. @returns where the message is after that; undefined if it stays. */
export async function moveMessage(
  near: Node,
  message: Message,
  session: Session,
): Promise<Place | undefined> {
  const moves = movesOf(message, session.state)
  if (moves === undefined) return undefined
  let place: Place | undefined
  const dialog = document.createElement('dialog')
  const moved = (to: Place): void => {
    place = to
    dialog.close()
  }
  const form = html`<parley-move
    .session=${session}
    .message=${message}
    .moved=${moved}
  ></parley-move>`
  render(form, dialog)
  await showDialog(dialog, near, 'ask', moveTitle(moves))
  return place
}

class MoveForm extends View {
  static override properties = {
    ...View.properties,
    message: { attribute: false },
    moved: { attribute: false },
    targetId: { state: true },
    problem: { state: true },
  }
  declare message: Message
  declare moved: (to: Place) => void
  declare targetId: number | undefined
  declare problem: string
  #isBusy = false

  constructor() {
    super()
    this.problem = ''
    followState(this, ({ channels }) => channels)
    followState(this, ({ organization }) => organization)
    followState(this, ({ groups }) => groups)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, message } = this
    const moves = session && movesOf(message, session.state)
    const close = (): void => this.closest('dialog')?.close()
    if (session === undefined || moves === undefined) {
      // Another user has changed the rules.
      return html`<p>${dialogTexts.mayNotMove}</p>
        <button class="plain" @click=${close}>${dialogTexts.close}</button>`
    }
    const { state } = session
    const { source } = moves
    const targets = targetsOf(message, source, state)
    const target = targets.find(({ stream_id }) => stream_id === this.targetId) ?? source
    return html`<form class="menu" @submit=${this.#submit}>
      <h2>${moveTitle(moves)}</h2>
      ${targets.length > 1 ? this.#channels(targets, target) : nothing}
      <label class="menu"
        >${texts.topic}
        <input
          name="topic"
          autocomplete="off"
          ?disabled=${!mayChangeTopic(message, [source, target], state)}
          maxlength=${state.organization.max_topic_length ?? 60}
          .defaultValue=${message.subject}
      /></label>
      <select name="mode" aria-label=${dialogTexts.moveWhich}>
        ${modes.map((mode) => html`<option value=${mode}>${dialogTexts.moveModes[mode]}</option>`)}
      </select>
      <label><input type="checkbox" name="new" checked /> ${dialogTexts.noticeInNew}</label>
      <label><input type="checkbox" name="old" /> ${dialogTexts.noticeInOld}</label>
      <span role="alert">${this.problem}</span>
      <button class="main">${dialogTexts.moveNow}</button>
      <button class="plain" type="button" @click=${close}>${dialogTexts.cancel}</button>
    </form>`
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('input:enabled, select')?.focus()
  }

  #channels(targets: readonly ChannelState[], target: ChannelState): TemplateResult {
    const choose = ({ target: select }: Event): void => {
      if (select instanceof HTMLSelectElement) this.targetId = Number(select.value)
    }
    return html`<label class="menu"
      >${dialogTexts.moveChannel}
      <select @change=${choose}>
        ${targets.map(
          ({ stream_id, name }) =>
            html`<option value=${stream_id} ?selected=${stream_id === target.stream_id}>
              #${name}
            </option>`,
        )}
      </select></label
    >`
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault()
    const { target: form } = event
    if (form instanceof HTMLFormElement && !this.#isBusy) void this.#move(form)
  }

  async #move(form: HTMLFormElement): Promise<void> {
    const { session, message } = this
    if (session === undefined) return
    const fields = new FormData(form)
    const written = fields.get('topic')
    // A topic that the user may not change is not sent.
    const topic = typeof written === 'string' ? written.trim() : undefined
    const isElsewhere = this.targetId !== undefined && this.targetId !== message.stream_id
    this.#isBusy = true
    this.problem = ''
    try {
      await session.client.api.updateMessage({
        message_id: message.id,
        ...(topic === undefined ? {} : { topic }),
        ...(isElsewhere ? { stream_id: this.targetId } : {}),
        propagate_mode: modes.find((mode) => mode === fields.get('mode')),
        send_notification_to_new_thread: fields.has('new'),
        send_notification_to_old_thread: fields.has('old'),
      })
      const stream_id = isElsewhere ? this.targetId : message.stream_id
      const subject = topic ?? message.subject
      const { type, display_recipient } = message
      this.moved(session.placeOf({ type, display_recipient, stream_id, subject }))
    } catch (error) {
      this.problem = texts.failed(reasonOf(error))
    } finally {
      this.#isBusy = false
    }
  }
}

define('parley-move', MoveForm)
