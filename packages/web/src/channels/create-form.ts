import { html, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import type { Session } from '../session/session.js'

/** The fields of a new channel. */
export function createForm(
  { state: { organization } }: Session,
  create: (name: string, description: string, isPrivate: boolean) => void,
  cancel: () => void,
): TemplateResult {
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!(event.target instanceof HTMLFormElement)) return
    const fields = new FormData(event.target)
    const text = (name: string): string => {
      const value = fields.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    create(text('name'), text('description'), fields.has('private'))
  }
  return html`<form @submit=${submit}>
    <label
      >${dialogTexts.channelName}
      <input
        name="name"
        required
        autocomplete="off"
        maxlength=${organization.max_stream_name_length ?? 60}
    /></label>
    <label
      >${dialogTexts.channelDescription}
      <input
        name="description"
        autocomplete="off"
        maxlength=${organization.max_stream_description_length ?? 1024}
    /></label>
    <label><input type="checkbox" name="private" /> ${dialogTexts.privateChannel}</label>
    <div class="edit-buttons">
      <button class="plain" type="button" @click=${cancel}>${dialogTexts.cancel}</button>
      <button class="main">${dialogTexts.createChannel}</button>
    </div>
  </form>`
}
