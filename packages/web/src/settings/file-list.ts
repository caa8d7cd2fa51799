import type { Api } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { followLink } from '../chat/follow-link.js'
import { fileSize } from '../organization/file-size.js'
import { followAnswer } from '../session/follow-answer.js'
import type { Session } from '../session/session.js'
import { reasonOf } from '../view/reason.js'
import { localTime } from '../view/times.js'
import { define } from '../view/view.js'
import { fileTexts } from './file-texts.js'
import { ItemList } from './item-list.js'

type OwnFile = Api.GetAttachmentsResult['attachments'][number]

/** So many are shown at first, and more with each click. */
const step = 50
/** So many of the messages with a file have a link. */
const maxMessages = 5
const bytesPerMebibyte = 1024 * 1024

/** The files that the user has uploaded. */
class FileList extends ItemList {
  static override properties = {
    ...ItemList.properties,
    files: { state: true },
    words: { state: true },
    count: { state: true },
  }
  declare files: Api.GetAttachmentsResult | undefined
  declare words: string
  declare count: number
  readonly #read: (session: Session) => Promise<void>

  constructor() {
    super()
    this.words = ''
    this.count = step
    this.#read = followAnswer(this, ['attachment'], {
      read: ({ client }) => client.api.getAttachments(),
      answered: (files) => (this.files = files),
      failed: (error) => (this.note = fileTexts.notLoaded(reasonOf(error))),
    })
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, files } = this
    if (session === undefined) return nothing
    return html`<div aria-busy=${files === undefined ? 'true' : 'false'}>
      ${
        files === undefined
          ? html`<p class="quiet-text">${fileTexts.loading}</p>`
          : this.#files(files, session)
      }
    </div>`
  }

  #files({ attachments, upload_space_used }: Api.GetAttachmentsResult, session: Session): unknown {
    const words = this.words.trim().toLowerCase()
    const found = attachments
      .filter(({ name }) => name.toLowerCase().includes(words))
      .sort((one, other) => other.create_time - one.create_time || other.id - one.id)
    const shown = found.slice(0, this.count)
    const items = repeat(
      shown,
      ({ id }) => id,
      (file) => this.#item(file, session),
    )
    const used = fileSize(upload_space_used)
    const { realm_upload_quota_mib: quota } = session.state.organization
    return html`<p class="quiet-text">
        ${fileTexts.about}
        ${
          quota === null || quota === undefined
            ? fileTexts.used(used)
            : fileTexts.usedOf(used, fileSize(quota * bytesPerMebibyte))
        }
      </p>
      <div class="filters">
        <input
          type="search"
          placeholder=${fileTexts.find}
          aria-label=${fileTexts.find}
          .value=${this.words}
          @input=${this.#search}
        />
      </div>
      ${this.list(
        fileTexts.title,
        fileTexts.none,
        shown.length === 0 ? [] : [html`${items}`],
        html`<div class="edit-buttons">
          <span class="quiet-text" role="status"
            >${fileTexts.shown(shown.length, found.length)}</span
          >
          ${
            shown.length < found.length
              ? html`<button class="plain" type="button" @click=${this.#more}>
                  ${fileTexts.more}
                </button>`
              : nothing
          }
        </div>`,
      )}`
  }

  #item(file: OwnFile, session: Session): TemplateResult {
    const { id: attachment_id, name, path_id, size, create_time, messages } = file
    const address = session.address(`user_uploads/${path_id}`)
    const open = (event: MouseEvent): void => {
      followLink(event, session)
    }
    const newest = [...messages].sort((one, other) => other.id - one.id)
    return html`<li class="entry">
      <div class="about">
        <a
          class="file"
          href=${address}
          target="_blank"
          rel="noopener noreferrer"
          dir="auto"
          @click=${open}
          >${name}</a
        >
        <div class="quiet-text">
          ${fileTexts.details(fileSize(size), localTime(create_time / 1000))}
        </div>
        <div class="quiet-text">
          ${
            newest.length === 0
              ? fileTexts.unused
              : html`${fileTexts.usedIn}
                ${newest.slice(0, maxMessages).map((message) => this.#message(message, file, session))}
                ${
                  newest.length > maxMessages
                    ? fileTexts.moreMessages(newest.length - maxMessages)
                    : nothing
                }`
          }
        </div>
      </div>
      ${this.deleteButton(
        name,
        async () => {
          await session.client.api.removeAttachment({ attachment_id })
          await this.#read(session)
        },
        fileTexts.question(name, messages.length),
      )}
    </li>`
  }

  #message(
    { id, date_sent }: OwnFile['messages'][number],
    { name }: OwnFile,
    session: Session,
  ): TemplateResult {
    const time = localTime(date_sent / 1000)
    const show = async (): Promise<void> => {
      try {
        const { message } = await session.client.api.getMessage({ message_id: id })
        this.tell('parley-go', { place: session.placeOf(message), near: id })
      } catch (error) {
        this.note = fileTexts.noMessage(reasonOf(error))
      }
    }
    return this.button(time, fileTexts.openMessage(name, time), () => void show())
  }

  readonly #search = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.words = target.value
    this.count = step
  }

  readonly #more = async (): Promise<void> => {
    const first = this.count
    this.count += step
    await this.updateComplete
    // The button may have gone.
    this.querySelectorAll<HTMLElement>('.file')[first]?.focus()
  }
}

define('parley-own-files', FileList)
