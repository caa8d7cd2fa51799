import type { Message, MessageList } from '@parley/client'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { narrowOf, placeKey, type Place, type Target } from '../place.js'
import { followState } from '../session/follow-state.js'
import { texts } from '../texts.js'
import { after } from '../timers.js'
import { placeName } from '../view/place-name.js'
import { use24Hours } from '../view/times.js'
import { define, View } from '../view/view.js'
import './pending.js'
import { ActiveRow } from './active-row.js'
import { ListKeys } from './list-keys.js'
import { isKnown, listNote, mayLoad, waitNote } from './list-note.js'
import { MessageActions } from './message-actions.js'
import { rowsOf } from './message-rows.js'
import { loadWidgets, shownMessage, type MessageView } from './message-view.js'
import { ReadMarks } from './read-marks.js'
import { RowWindow } from './row-window.js'
import { ScrollKeeper } from './scroll-keeper.js'
import { toEndButton } from './to-end-button.js'

/** When the end of the loaded messages is this near, more are loaded. */
const loadPixels = 600

/** The messages of a place. */
export class Conversation extends View {
  static override properties = {
    ...View.properties,
    target: { attribute: false },
    editingId: { state: true },
  }
  declare target: Target | undefined
  declare editingId: number | undefined

  #list: MessageList | undefined
  #stopList: (() => void) | undefined
  #key = ''
  #generation = -1
  #window = new RowWindow()
  #keeper: ScrollKeeper | undefined
  #marks: ReadMarks | undefined
  /** Whether the reader was at the end when this was rendered. */
  #shownAtEnd: boolean | undefined
  /** The newest message that was in the page while the reader was at the end. */
  #seenId = 0
  #markedId: number | undefined
  readonly revealed = new Set<number>()
  readonly #keys = new ListKeys(this)
  readonly #active = new ActiveRow(this)
  readonly #actions = new MessageActions(this)

  constructor() {
    super()
    followState(this, ({ me }) => me)
    const parts = ['users', 'statuses', 'channels', 'emoji', 'mutedUsers', 'isRegistered'] as const
    for (const part of parts) followState(this, (state) => state[part])
    this.addEventListener('click', (event) => this.#actions.click(event))
    this.addEventListener('keydown', (event) => this.#keys.press(event))
  }

  get messages(): readonly Message[] {
    return this.#list?.state.messages ?? []
  }

  /** The message that is reached by Tab. */
  get currentId(): number | undefined {
    return this.#keys.currentId ?? this.messages.at(-1)?.id
  }

  get place(): Place | undefined {
    return this.target?.place
  }

  get rows(): MessageView[] {
    return [...this.querySelectorAll<MessageView>('.rows > .message')]
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#leave()
  }

  get #scroller(): HTMLElement | null {
    return this.querySelector('.scroller')
  }

  override focus(): void {
    this.#scroller?.focus({ preventScroll: true })
  }

  keepUnread(): void {
    this.#marks?.stop()
  }

  /** Shows a message of this place. */
  jumpTo(id: number): void {
    this.#markedId = id
    if (this.messages.some((message) => message.id === id)) {
      this.#window.around(this.#ids(), id)
      this.requestUpdate()
      void this.updateComplete.then(() => this.#keeper?.show(id, 0.3))
    } else void this.#list?.load(id)
  }

  jumpToEnd(): void {
    this.#markedId = undefined
    if (this.#list?.state.haveNewest === false) void this.#list.load('newest')
    this.#window.toEnd()
    this.requestUpdate()
    void this.updateComplete.then(() => this.#keeper?.toEnd())
  }

  protected override willUpdate(): void {
    const { session, target } = this
    this.#keys.hold()
    if (session === undefined || target === undefined) return
    const { isRegistered, me } = session.state
    if (isRegistered) use24Hours(me.user_settings.twenty_four_hour_time)
    const key = placeKey(target.place)
    if (key === this.#key) return
    this.#leave()
    if (!isKnown(target.place, session, this)) return
    this.#key = key
    this.#markedId = target.near
    this.#list = session.client.messages(narrowOf(target.place, session))
    this.#stopList = this.#list.subscribe(() => this.requestUpdate())
    this.#marks = new ReadMarks(session, () => this.#readable())
    if (mayLoad(target.place, session)) this.#load()
  }

  #leave(): void {
    this.#stopList?.()
    this.#list?.close()
    this.#marks?.stop()
    this.#keeper?.stop()
    this.#list = this.#keeper = this.#marks = undefined
    this.#key = ''
    this.#generation = -1
    this.#seenId = 0
    this.#window = new RowWindow()
    this.#keys.currentId = undefined
    this.editingId = undefined
    this.#active.set(undefined)
  }

  #ids(): number[] {
    return this.messages.map(({ id }) => id)
  }

  protected override render(): TemplateResult {
    const { session, place } = this
    const state = this.#list?.state
    const isReady = session?.state.isRegistered === true
    if (!isReady || place === undefined || state === undefined) return waitNote(isReady)
    if (state.generation !== this.#generation) this.#place(state.generation)
    const ids = this.#ids()
    const [start, end] = this.#window.range(ids)
    // The first row depends on the message before it.
    const from = Math.max(0, start - 1)
    const shown = state.messages.slice(from, end)
    const rows = rowsOf(shown, place, state.firstUnreadId).slice(start - from)
    loadWidgets(shown, () => this.requestUpdate())
    return html`
      <div
        class="scroller"
        part="messages"
        role="log"
        aria-live="off"
        aria-label=${texts.messagesIn(placeName(place, session))}
        aria-busy=${state.isLoading !== undefined}
        tabindex=${rows.length === 0 ? 0 : -1}
        @scroll=${this.#scrolled}
      >
        <div class="column">
          <div class="rows">
            ${listNote(state, place, session, this.#load)}
            ${repeat(
              rows,
              ({ message }) => message.id,
              (row) =>
                html`<parley-message
                  class="message"
                  data-id=${row.message.id}
                  .session=${session}
                  .shown=${shownMessage(row, session, {
                    editingId: this.editingId,
                    markedId: this.#markedId,
                    revealed: this.revealed,
                    found: state.matches.get(row.message.id)?.match_content,
                  })}
                ></parley-message>`,
            )}
          </div>
          <parley-pending .session=${session} .place=${place}></parley-pending>
        </div>
      </div>
      ${this.#toEndButton()}
    `
  }

  #toEndButton(): TemplateResult | typeof nothing {
    const state = this.#list?.state
    this.#shownAtEnd = this.#keeper?.isAtEnd
    const isAway = this.#keeper?.isAtEnd === false || state?.haveNewest === false
    if (state === undefined || state.messages.length === 0 || !isAway) return nothing
    const isNew = ({ id }: Message): boolean => this.#seenId > 0 && id > this.#seenId
    return toEndButton(this.messages.filter(isNew).length, () => this.jumpToEnd())
  }

  /** Other messages than before: the view begins anew. */
  #place(generation: number): void {
    if (this.messages.length === 0) return
    this.#generation = generation
    const unread = this.#list?.state.firstUnreadId
    const id = this.#markedId ?? unread
    this.#window = new RowWindow()
    if (id !== undefined) this.#window.around(this.#ids(), id)
    void this.updateComplete.then(() => {
      if (id === undefined || this.#keeper?.show(id, id === unread ? 0.2 : 0.3) !== true) {
        this.#keeper?.toEnd()
      }
      this.#scrolled()
    })
  }

  protected override update(changed: PropertyValues): void {
    super.update(changed)
    this.#active.apply()
    for (const row of this.rows) row.renderNow()
  }

  protected override updated(_changed: PropertyValues): void {
    const scroller = this.#scroller
    const column = this.querySelector<HTMLElement>('.column')
    if (scroller === null || column === null) return
    if (this.#keeper === undefined && this.messages.length > 0) {
      this.#keeper = new ScrollKeeper(scroller, column, () => this.rows)
    }
    this.#keeper?.restore()
    this.#keys.keep()
    this.#look()
  }

  readonly #scrolled = (): void => {
    this.#keeper?.note()
    if (this.#shownAtEnd !== this.#keeper?.isAtEnd) this.requestUpdate()
    this.#look()
  }

  /** To be called when other messages may be visible. */
  #look(): void {
    this.#marks?.look()
    const scroller = this.#scroller
    const list = this.#list
    if (scroller === null || list === undefined || this.messages.length === 0) return
    if (this.#generation !== list.state.generation) return
    if (this.#keeper?.isAtEnd === true) this.#seenId = this.messages.at(-1)?.id ?? 0
    const { scrollTop, scrollHeight, clientHeight } = scroller
    if (scrollTop < loadPixels) {
      if (this.#window.older(this.#ids())) this.requestUpdate()
      else if (!list.state.haveOldest && list.state.error === undefined) void list.older()
    } else if (scrollHeight - clientHeight - scrollTop < loadPixels) {
      if (this.#window.newer(this.#ids())) this.requestUpdate()
      else if (!list.state.haveNewest && list.state.error === undefined) void list.newer()
    }
  }

  /** The messages that the reader has in view to the end. */
  #readable(): Message[] {
    const keeper = this.#keeper
    if (keeper === undefined || this.place?.kind === 'search') return []
    const rows = keeper.visible().filter((row) => keeper.showsEndOf(row))
    return rows.map(({ shown }) => shown.message)
  }

  readonly #load = (): void => {
    const start = this.place?.kind === 'search' ? 'newest' : 'first_unread'
    void this.#list?.load(this.target?.near ?? start)
  }

  /** Gives the focus to a message, which comes into view. */
  focusRow(id: number | undefined): void {
    this.#keys.currentId = id
    this.#active.set(id)
    if (id === undefined || !this.#ids().includes(id)) return
    void this.updateComplete.then(() => {
      const row = this.rows.find(({ messageId }) => messageId === id)
      row?.focus({ preventScroll: true })
      row?.scrollIntoView({ block: 'nearest' })
      after(0, () => this.#keeper?.note())
    })
  }
}

define('parley-conversation', Conversation)
