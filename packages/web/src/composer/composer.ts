import type { Destination } from '@parley/client'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'

import { placeKey, type Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { icon } from '../view/icons.js'
import { placeName, topicName } from '../view/place-name.js'
import { quietButton } from '../view/quiet-button.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import type { Completion } from './completion.js'
import { addToDraft, followDraft, loadDraft, loadTopic, saveDraft, saveTopic } from './drafts.js'
import { lengthProblem } from './length-problem.js'
import { Uploads } from './uploads.js'

/** Writes messages to a place. */
class Composer extends View {
  static override properties = {
    ...View.properties,
    place: { attribute: false },
    isDragging: { state: true },
    isEmpty: { state: true },
    problem: { state: true },
  }
  declare place: Place
  declare isDragging: boolean
  declare isEmpty: boolean
  declare problem: string
  #key = ''
  /** Loaded when it may be needed for the first time. */
  #completion: Completion | undefined
  readonly #uploads = new Uploads(this, (...of) => this.#attach(...of))

  constructor() {
    super()
    this.isEmpty = true
    this.problem = ''
    followState(this, ({ channels }) => channels)
    followState(this, ({ isRegistered }) => isRegistered)
    followDraft(this, () => {
      this.#key = ''
      this.requestUpdate()
    })
  }

  get #field(): HTMLTextAreaElement | null {
    return this.querySelector('textarea')
  }

  get #topicField(): HTMLInputElement | null {
    return this.querySelector('.topic-field')
  }

  /** Whether texts and files can be added. */
  get hasField(): boolean {
    return this.#field !== null
  }

  override focus(): void {
    this.#field?.focus()
  }

  /** Adds a text at the cursor. */
  insert(text: string): void {
    const field = this.#field
    if (field === null) return
    const before = field.value.slice(0, field.selectionStart)
    const space = before === '' || /\s$/.test(before) ? '' : ' '
    field.setRangeText(`${space}${text} `, field.selectionStart, field.selectionEnd, 'end')
    this.#changed()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, place } = this
    if (session?.state.isRegistered !== true) return nothing
    const hasTopicField = place.kind === 'channel'
    if (!hasTopicField && session.destinationOf(place) === undefined) return nothing
    if (session.isClosed(place)) return nothing
    const name = placeName(place, session)
    const { currentId, isOpen } = this.#completion ?? {}
    return html`<form
      class="composer ${this.isDragging ? 'dragging' : ''}"
      part="composer"
      @submit=${this.#submit}
    >
      ${this.#uploads.render(place)}
      ${
        hasTopicField
          ? html`<input
              class="topic-field"
              name="topic"
              placeholder=${texts.topic}
              aria-label=${texts.topic}
              maxlength=${session.state.organization.max_topic_length ?? 60}
              @input=${this.#topicChanged}
            />`
          : nothing
      }
      <div class="field">
        ${this.#completion?.render(() => this.#field)}
        <textarea
          rows="1"
          part="composer-field"
          dir="auto"
          role=${isOpen ? 'combobox' : nothing}
          aria-label=${texts.writeTo(name)}
          aria-autocomplete="list"
          aria-haspopup=${isOpen ? 'listbox' : nothing}
          aria-expanded=${isOpen ? 'true' : nothing}
          aria-controls=${isOpen ? 'suggestions' : nothing}
          aria-activedescendant=${currentId ?? nothing}
          placeholder=${texts.writeTo(place.kind === 'topic' ? topicName(place.topic) : name)}
          @input=${this.#changed}
          @keydown=${this.#press}
          @click=${this.#look}
          @blur=${() => this.#completion?.close()}
          @paste=${this.#paste}
        ></textarea>
        ${quietButton('smile', texts.addEmoji, this.#addEmoji)}
        <parley-call .session=${session}></parley-call>
        ${quietButton('paperclip', texts.attach, this.#chooseFiles, { opensDialog: false })}
        ${quietButton('clock', texts.sendLater, this.#later, { isDisabled: this.isEmpty })}
        <button
          class="send"
          part="send"
          aria-label=${texts.send}
          title=${texts.send}
          ?disabled=${this.isEmpty}
        >
          ${icon('sendHorizontal')}
        </button>
      </div>
      <input type="file" multiple hidden aria-label=${texts.attach} @change=${this.#choose} />
      <span class="problem" role="status">${this.problem}</span>
      ${this.isDragging ? html`<div class="drop">${texts.dropHere}</div>` : nothing}
    </form>`
  }

  protected override updated(_changed: PropertyValues): void {
    const { session, place } = this
    const field = this.#field
    // Another field shows the draft anew.
    if (field === null) this.#key = ''
    if (session === undefined || field === null) return
    const key = placeKey(place)
    if (key === this.#key) return
    this.#key = key
    field.value = loadDraft(session, place)
    const topic = this.#topicField
    if (topic !== null) topic.value = loadTopic(session, place)
    this.#fit()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#key = ''
  }

  /** A file belongs to the conversation that was shown when it was chosen. */
  #attach(markdown: string, place: Place, session: Session): void {
    if (this.isConnected && placeKey(place) === placeKey(this.place)) this.insert(markdown)
    else addToDraft(session, place, markdown)
  }

  readonly #topicChanged = (): void => {
    if (this.session !== undefined)
      saveTopic(this.session, this.place, this.#topicField?.value ?? '')
  }

  readonly #addEmoji = async ({ currentTarget: opener }: Event): Promise<void> => {
    const { session } = this
    if (!(opener instanceof HTMLElement) || session === undefined) return
    try {
      const { pickEmoji } = await import('../emoji/picker.js')
      const emoji = await pickEmoji(opener, session, texts.addEmoji)
      if (emoji !== undefined) this.insert(`:${emoji.emoji_name}:`)
      this.focus()
    } catch (error) {
      this.tell('parley-problem', texts.failed(reasonOf(error)))
    }
  }

  readonly #look = async (): Promise<void> => {
    try {
      const part = await import('../on-demand.js')
      this.#completion ??= new part.Completion(this)
      const field = this.#field
      if (field === null || this.session === undefined) return
      await this.#completion.look(field, this.session)
    } catch {
      // There are no suggestions without a connection.
    }
  }

  readonly #changed = (): void => {
    const field = this.#field
    const { session, place } = this
    if (field === null || session === undefined) return
    saveDraft(session, place, field.value)
    this.#fit()
    void this.#look()
    const to = this.#destination()
    if (to !== undefined && field.value !== '') session.client.typing(to)
  }

  /** The field is as high as its text, up to the limit of the style. */
  #fit(): void {
    const field = this.#field
    if (field === null) return
    this.isEmpty = field.value.trim() === ''
    this.problem = lengthProblem(field.value, this.session)
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }

  readonly #press = (event: KeyboardEvent): void => {
    const field = this.#field
    if (field === null || this.#completion?.press(event, field) === true) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      this.querySelector('form')?.requestSubmit()
    } else if (event.key === 'Escape') {
      this.tell('parley-to-list')
    }
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault()
    const { session, place } = this
    const field = this.#field
    const content = field?.value.trim() ?? ''
    const to = this.#destination()
    if (session === undefined || field === null || content === '' || to === undefined) return
    this.problem = lengthProblem(field.value, session)
    if (this.problem !== '') return
    try {
      session.client.outbox.send({ to, content })
    } catch {
      this.problem = texts.outboxFull
      return
    }
    field.value = ''
    saveDraft(session, place, '')
    saveTopic(session, place, '')
    this.#completion?.close()
    this.#fit()
    this.tell('parley-sent', session.placeOfDestination(to))
  }

  readonly #later = async ({ currentTarget }: Event): Promise<void> => {
    try {
      const { scheduleText } = await import('../settings/index.js')
      const isDone = await scheduleText(
        currentTarget,
        this.session,
        this.#destination(),
        this.#field,
      )
      if (isDone) this.#changed()
    } catch {
      this.problem = texts.noConnection
    }
  }

  #destination(): Destination | undefined {
    const { session, place } = this
    if (place.kind !== 'channel') return session?.destinationOf(place)
    return { channel: place.channelId, topic: this.#topicField?.value.trim() ?? '' }
  }

  readonly #chooseFiles = (): void => {
    this.querySelector<HTMLInputElement>('input[type=file]')?.click()
  }

  readonly #choose = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return
    this.addFiles(target.files)
    target.value = ''
    this.#field?.focus()
  }

  addFiles(files: FileList | null): void {
    if (this.session !== undefined) this.#uploads.add([...(files ?? [])], this.session, this.place)
  }

  readonly #paste = (event: ClipboardEvent): void => {
    const files = event.clipboardData?.files
    if (files === undefined || files.length === 0) return
    event.preventDefault()
    this.addFiles(files)
  }
}

define('parley-composer', Composer)
export type { Composer }
