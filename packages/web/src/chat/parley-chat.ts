import type { Credentials } from '@parley/client'
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'

import '../conversation/conversation.js'
import { hashOf, placeKey, targetOf, type Target } from '../place.js'
import '../search/search-field.js'
import type { Session } from '../session/session.js'
import { useSession } from '../session/shared-sessions.js'
import '../sidebar/sidebar.js'
import { followState } from '../session/follow-state.js'
import { styles } from '../style/styles.js'
import { texts } from '../texts.js'
import '../view/banner.js'
import { icon } from '../view/icons.js'
import { placeName } from '../view/place-name.js'
import { toast } from '../view/toast.js'
import { define } from '../view/view.js'
import { partsOf, type ChatParts } from './chat-parts.js'
import { chatState } from './chat-state.js'
import { takeDroppedFiles } from './dropped-files.js'
import { followLink } from './follow-link.js'
import { isGiven, type GivenText } from './given-target.js'
import { keepKeys } from './host-keys.js'
import { loadLaterParts } from './load-later-parts.js'
import type { MessageAction } from './message-action.js'
import { PageEvents } from './page-events.js'
import { channelAbout, placeButtons } from './place-buttons.js'
import { useChosenColors } from './chosen-colors.js'
import { missingNote, writingPart } from './writing-part.js'

/** Below this the list and the conversation are shown in turns. */
const narrowPixels = 640

/** The chat as an element; see docs/web.md. */
export class ParleyChat extends LitElement {
  static override properties = {
    url: {},
    channel: {},
    topic: {},
    dm: {},
    theme: { reflect: true },
    routing: {},
    target: { attribute: false },
    messageActions: { attribute: false },
    headingLevel: { attribute: 'heading-level' },
    isNarrow: { state: true },
    problem: { state: true },
  }
  static override styles = styles

  /** Address of the chat. @default that of the page's own origin */
  declare url: string | undefined
  /** Shows this channel only: its name or id. */
  declare channel: GivenText
  /** Shows this topic of the channel only. */
  declare topic: GivenText
  /** Shows this direct conversation only: ids or addresses of users, with commas. */
  declare dm: GivenText
  declare theme: 'light' | 'dark' | 'auto' | undefined
  /** `hash` keeps the shown place in the address of the page. @default none */
  declare routing: string | undefined
  /** The place that is shown, and a message in it. */
  declare target: Target | undefined
  /** The actions that the page adds to those of each message. @default none */
  declare messageActions: readonly MessageAction[] | undefined
  declare headingLevel: GivenText
  declare isNarrow: boolean
  declare problem: string | undefined
  /** The credentials of the user. @default those of the page's session */
  credentials: Credentials = { type: 'session' }

  #used: ReturnType<typeof useSession> | undefined
  #observer: ResizeObserver | undefined
  /** The target that was shown before the list, on a narrow page. */
  #last: Target | undefined
  readonly #page = new PageEvents(this)
  /** The place whose composer gets the focus. */
  #writeTo: string | undefined

  constructor() {
    super()
    this.isNarrow = false
    const parts = ['isRegistered', 'channels', 'users'] as const
    for (const part of parts) followState(this, (state) => state[part])
    followState(this, ({ unread }) => unread.total)
    followState(this, ({ connection }) => connection.kind)
    keepKeys(this)
    takeDroppedFiles(this, () => this.parts.composer)
    loadLaterParts(this)
    useChosenColors(this)
  }

  get session(): Session | undefined {
    return this.#used?.session
  }

  /** For the parts themselves, not for the page. */
  get parts(): ChatParts {
    return partsOf(this.renderRoot)
  }

  /** Shows a conversation, as a link to it would. */
  open(target: Target): void {
    // Only that conversation is shown; the page may know a place for others.
    if (isGiven(this)) {
      this.#page.tell('parley-open', { hash: hashOf(target), ...target })
      return
    }
    const hash = hashOf(target)
    if (this.routing !== 'hash' || document.location.hash === hash) this.#show(target)
    else document.location.hash = hash
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#use()
    this.isNarrow = this.clientWidth < narrowPixels
    if (this.routing === 'hash') window.addEventListener('hashchange', this.#follow)
    this.#observer = new ResizeObserver(([entry]) => {
      this.isNarrow = (entry?.contentRect.width ?? 0) < narrowPixels
    })
    this.#observer.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('hashchange', this.#follow)
    this.#observer?.disconnect()
    this.#used?.release()
    this.#used = undefined
  }

  #use(): void {
    this.#used?.release()
    const base = document.baseURI
    const { href } = new URL(this.url ?? '/', base)
    this.#used = useSession(href.replace(/\/$/, ''), this.credentials)
    if (this.routing === 'hash') this.target = targetOf(document.location.hash)
    this.requestUpdate()
  }

  readonly #follow = (): void => this.#show(targetOf(document.location.hash))

  #show(target: Target | undefined): void {
    this.#last = this.target ?? this.#last
    this.target = target
    if (target?.near === undefined) return
    const { near } = target
    void this.updateComplete.then(() => this.parts.conversation?.jumpTo(near))
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    // Dialogs are beside the rendered elements.
    if (root instanceof ShadowRoot) {
      root.addEventListener('parley-go', ({ detail }) => this.#go(detail))
    }
    return root
  }

  /** Shows a place that the user has chosen. A user who chooses people wants to write to them. */
  #go(target: Target): void {
    const { place } = target
    this.open(target)
    this.#writeTo = place.kind === 'direct' ? placeKey(place) : undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.hasUpdated && changed.has('url')) this.#use()
  }

  protected override updated(): void {
    const state = chatState(this)
    const place = state.kind === 'conversation' ? state.target.place : undefined
    this.#page.update(this.session, state, place)
    if (place !== undefined && placeKey(place) === this.#writeTo) {
      this.#writeTo = undefined
      void this.parts.composer?.updateComplete.then(() => this.parts.composer?.focus())
    }
  }

  protected override render(): TemplateResult {
    const { session } = this
    const state = chatState(this)
    const target = 'target' in state ? state.target : undefined
    const isOut = state.kind === 'signedOut' || state.kind === 'refused'
    const hasList = !isGiven(this) && !isOut && (!this.isNarrow || target === undefined)
    const hasMain = !isOut && (!this.isNarrow || target !== undefined || isGiven(this))
    return html`<div
      class="chat ${this.isNarrow ? 'narrow' : 'wide'} ${isGiven(this) ? 'single' : ''}"
      part="chat"
      @click=${this.#click}
      @parley-problem=${(event: HTMLElementEventMap['parley-problem']) => (this.problem = event.detail)}
      @parley-sent=${this.#sent}
      @parley-restore=${this.#restore}
      @parley-leave-list=${this.#leaveList}
      @parley-to-list=${() => this.parts.conversation?.focusRow(this.parts.conversation.currentId)}
    >
      <parley-banner .session=${session} .place=${target?.place}></parley-banner>
      ${
        hasList
          ? html`<div class="side">
              <slot name="top"></slot>
              <parley-search .session=${session} .place=${target?.place}></parley-search>
              <parley-sidebar
                .session=${session}
                .place=${(target ?? this.#last)?.place}
                .isNarrow=${this.isNarrow}
                .level=${this.headingLevel}
              ></parley-sidebar>
              <slot name="bottom"></slot>
            </div>`
          : nothing
      }
      ${hasMain ? this.#main(session, target, state.kind === 'notFound') : nothing}
      <parley-announcer
        .session=${session}
        .place=${isGiven(this) ? target?.place : undefined}
      ></parley-announcer>
      ${toast(this.problem, () => (this.problem = undefined))}
    </div>`
  }

  #main(
    session: Session | undefined,
    target: Target | undefined,
    isMissing: boolean,
  ): TemplateResult {
    const name =
      target === undefined || session?.state.isRegistered !== true
        ? ''
        : placeName(target.place, session)
    const isWritable = target !== undefined && (!isMissing || session?.isVisitor === true)
    return html`<section class="main" part="conversation" aria-label=${texts.conversation}>
      <header class="bar" part="header">
        ${
          this.isNarrow && !isGiven(this)
            ? html`<button class="quiet back" aria-label=${texts.back} @click=${this.#back}>
                ${icon('arrowLeft')}
              </button>`
            : nothing
        }
        <h2 class="title" dir="auto" aria-level=${this.headingLevel ?? nothing}>${name}</h2>
        ${this.isNarrow ? nothing : channelAbout(session, target?.place)}
        ${
          isGiven(this)
            ? nothing
            : placeButtons(session, target?.place, this.isNarrow ? this.#back : undefined)
        }
        <slot name="header"></slot>
      </header>
      ${
        isMissing
          ? missingNote(target)
          : html`<parley-conversation .session=${session} .target=${target}></parley-conversation>`
      }
      ${
        isWritable
          ? writingPart(session, target.place, () =>
              this.#page.tell('parley-login-request', undefined),
            )
          : nothing
      }
    </section>`
  }

  readonly #click = (event: MouseEvent): void => {
    const target = followLink(event, this.session)
    if (target !== undefined) this.open(target)
  }

  readonly #back = (): void => {
    const { pathname, search } = document.location
    // Setting the hash would take the focus away.
    if (this.routing === 'hash') history.pushState(null, '', pathname + search)
    this.#show(undefined)
  }

  readonly #sent = ({ detail }: HTMLElementEventMap['parley-sent']): void => {
    // A message with a topic of its own leads there.
    if (this.target?.place.kind === 'channel' && !isGiven(this)) this.open({ place: detail })
    else this.parts.conversation?.jumpToEnd()
  }

  readonly #leaveList = ({ detail }: HTMLElementEventMap['parley-leave-list']): void => {
    if (detail === 'after') this.parts.composer?.focus()
    else this.renderRoot.querySelector<HTMLElement>('header.bar button')?.focus()
  }

  readonly #restore = ({ detail }: HTMLElementEventMap['parley-restore']): void => {
    this.parts.composer?.insert(detail)
    this.parts.composer?.focus()
  }
}

define('parley-chat', ParleyChat)
