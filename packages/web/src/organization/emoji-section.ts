import type { CustomEmoji } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { dialogTexts } from '../dialog-texts.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { define } from '../view/view.js'
import { EditList } from './edit-list.js'
import { emojiTexts } from './emoji-texts.js'
import { fileSize } from './file-size.js'
import { formField, problemText, textsOf } from './form-field.js'
import { mayAddEmoji, mayDeleteEmoji } from './permissions.js'

/** The server takes no larger pictures, and does not say so before. */
const maxMebibytes = 5
const maxName = 100

/** The organization's own emoji. */
class EmojiSection extends EditList<CustomEmoji> {
  static override properties = { ...EditList.properties, file: { state: true } }
  /** The picture of a new emoji. */
  declare file: File | undefined

  constructor() {
    super()
    followState(this, ({ emoji }) => emoji)
    followState(this, ({ users }) => users)
    followState(this, ({ groups }) => groups)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const emoji = [...session.state.emoji.values()]
      .filter(({ deactivated }) => !deactivated)
      .sort((one, other) => one.name.localeCompare(other.name))
    const items = repeat(
      emoji,
      ({ id }) => id,
      (each) => this.#item(each, session),
    )
    return this.list(
      emojiTexts.title,
      emojiTexts.none,
      emoji.length === 0 ? [] : [html`${items}`],
      this.edited === 'new'
        ? this.#form(session)
        : mayAddEmoji(session)
          ? this.addButton(emojiTexts.add)
          : nothing,
    )
  }

  #item(emoji: CustomEmoji, session: Session): TemplateResult {
    const { name, source_url, author_id } = emoji
    const author = session.nameOf(author_id ?? 0) || dialogTexts.someone
    return html`<li class="entry">
      <img class="emoji" src=${session.address(source_url)} alt="" loading="lazy" />
      <div class="about">
        <strong>:${name}:</strong>
        <div class="quiet-text">${emojiTexts.by(author)}</div>
      </div>
      ${
        mayDeleteEmoji(emoji, session)
          ? this.deleteButton(
              name,
              () => session.client.api.deactivateCustomEmoji({ emoji_name: name }),
              emojiTexts.deleteQuestion(name),
            )
          : nothing
      }
    </li>`
  }

  #form(session: Session): TemplateResult {
    const { file, problem } = this
    const end = (): void => {
      this.file = undefined
      void this.end(undefined)
    }
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault()
      if (!(event.target instanceof HTMLFormElement)) return
      if (file === undefined) {
        this.problem = { field: 'file', text: emojiTexts.noFile }
        return
      }
      if (this.#refuse(file)) return
      // For the server's other clients, letters have no case here.
      const emoji_name = textsOf(event.target)('name').toLowerCase()
      await this.submit(`:${emoji_name}:`, undefined, () =>
        session.client.api.uploadCustomEmoji({ emoji_name, file }),
      )
      if (this.edited === undefined) this.file = undefined
    }
    const open = (): void => this.querySelector<HTMLElement>('[type=file]')?.click()
    return html`<form @submit=${submit}>
      ${formField({
        name: 'name',
        label: emojiTexts.name,
        hint: emojiTexts.nameHint,
        value: '',
        maxLength: maxName,
        problem,
      })}
      <div class="picture">
        <button type="button" class="plain" @click=${open}>${emojiTexts.choose}</button>
        <span class="quiet-text" role="status"
          >${
            file === undefined
              ? emojiTexts.sizeHint(maxMebibytes)
              : emojiTexts.file(file.name, fileSize(file.size))
          }</span
        >
        <input
          type="file"
          accept="image/*"
          hidden
          aria-label=${emojiTexts.choose}
          @change=${this.#choose}
        />
      </div>
      ${problemText(problem, 'file')} ${problemText(problem)} ${this.formButtons(end)}
    </form>`
  }

  readonly #choose = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return
    const file = target.files?.[0]
    target.value = ''
    if (file === undefined) return
    this.file = file
    if (!this.#refuse(file)) this.problem = undefined
  }

  /** A picture that is too large is not sent. */
  #refuse({ name, size }: File): boolean {
    if (size <= maxMebibytes * 1024 * 1024) return false
    const text = emojiTexts.tooLarge(name, fileSize(size), maxMebibytes)
    this.problem = { field: 'file', text }
    return true
  }
}

define('parley-emoji-section', EmojiSection)
