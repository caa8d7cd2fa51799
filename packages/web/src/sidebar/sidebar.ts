import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { placeKey, type Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { channelIcon } from '../view/channel-icon.js'
import type { IconName } from '../view/icons.js'
import { topicName } from '../view/place-name.js'
import { quietButton } from '../view/quiet-button.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import type { channelFolders } from './channel-folders.js'
import { channelsOf, directsOf, type ChannelEntry } from './entries.js'
import { LinkKeys } from './link-keys.js'
import type { PlaceLink } from './place-link.js'
import './place-link.js'
import { TopicLists } from './topic-lists.js'

type Act = (opener: HTMLElement, session: Session) => Promise<void>

/** How many direct conversations are shown at first, and with each click more. */
const firstDirects = 20
const moreDirects = 100

/** The list of channels, topics and direct conversations. */
class Sidebar extends View {
  static override properties = {
    ...View.properties,
    place: { attribute: false },
    isNarrow: { attribute: false },
    level: { attribute: false },
  }
  declare place: Place | undefined
  /** The list is shown instead of a conversation. */
  declare isNarrow: boolean
  /** Of the headings. */
  declare level: string | number | null | undefined
  #focused: HTMLElement | null = null
  readonly #keys = new LinkKeys(this)
  readonly #topics = new TopicLists(this)
  #directLimit = firstDirects
  /** Shows folders; loaded if there are some. */
  #folders: typeof channelFolders | undefined

  constructor() {
    super()
    followState(this, ({ channels }) => channels)
    followState(this, ({ folders }) => folders)
    followState(this, ({ unread }) => unread)
    followState(this, ({ starred }) => starred)
    followState(this, ({ me }) => me.user_settings)
    followState(this, ({ topicPolicies }) => topicPolicies)
    followState(this, ({ directConversations }) => directConversations)
    followState(this, ({ isRegistered }) => isRegistered)
    this.addEventListener('keydown', (event) => this.#keys.press(event))
    this.addEventListener('focusin', (event) => this.#keys.note(event.target))
  }

  protected override firstUpdated(): void {
    // Back from a conversation: where it is in the list.
    if (!this.isNarrow) return
    const link = this.querySelector<HTMLElement>('[aria-current]')
    const list = this.querySelector('.sidebar')
    if (link === null || list === null) return
    link.focus({ preventScroll: true })
    // Its topics are below it. `scrollIntoView` would scroll the page around the chat as well.
    const middleOf = ({ top, bottom }: DOMRect): number => (top + bottom) / 2
    const listMiddle = middleOf(list.getBoundingClientRect())
    list.scrollTop += middleOf(link.getBoundingClientRect()) - listMiddle
  }

  protected override willUpdate(): void {
    this.#focused = this.querySelector<HTMLElement>('.link:focus')
  }

  protected override update(changed: PropertyValues): void {
    super.update(changed)
    for (const link of this.querySelectorAll<PlaceLink>('parley-link')) link.renderNow()
  }

  protected override updated(): void {
    // An element that is moved in the list loses the focus.
    if (this.#focused?.matches(':focus') === false) this.#focused.focus()
    this.#keys.apply()
  }

  protected override render(): TemplateResult {
    const { session } = this
    return html`<nav
        class="sidebar"
        part="sidebar"
        aria-label=${texts.channels}
        aria-busy=${session?.state.isRegistered !== true}
      >
        ${session?.state.isRegistered !== true ? this.#waiting() : this.#lists(session)}
      </nav>
      ${
        session === undefined || session.isVisitor
          ? nothing
          : html`<parley-foot .session=${session}></parley-foot>`
      }`
  }

  #waiting(): TemplateResult {
    return html`<div class="placeholder" aria-hidden="true">
      ${[70, 45, 60, 50, 65].map((width) => html`<i class=${`bar w${width}`}></i>`)}
    </div>`
  }

  #lists(session: Session): TemplateResult {
    const { unread, starred, me } = session.state
    const starCount = me.user_settings.starred_message_counts ? starred.size : 0
    const all = this.#link({ kind: 'all' }, 'inbox', texts.all, unread.total)
    if (session.isVisitor) {
      return html`<ul class="links">
          ${all}
        </ul>
        <div class="bar list-head">${this.#heading('channels-heading', texts.channels)}</div>
        ${this.#channels(session)}`
    }
    const directs = directsOf(session, this.#directLimit)
    return html`<ul class="links">
        ${all} ${this.#link({ kind: 'mentions' }, 'atSign', texts.mentions, unread.mentions.length)}
        ${this.#link({ kind: 'starred' }, 'star', texts.starredMessages, starCount)}
      </ul>
      ${this.#head('directs-heading', texts.directMessages, texts.newDirect, this.#write)}
      <ul class="links" aria-labelledby="directs-heading">
        ${repeat(
          directs.entries,
          ({ key }) => key,
          ({ place, count }) => this.#link(place, undefined, undefined, count),
        )}
        ${this.#more(directs.rest, texts.moreDirects, '', () => (this.#directLimit += moreDirects))}
      </ul>
      ${this.#head('channels-heading', texts.channels, texts.allChannels, this.#browse)}
      ${this.#channels(session)}`
  }

  #channels(session: Session): TemplateResult {
    const entries = channelsOf(session)
    const item = (entry: ChannelEntry): TemplateResult => this.#channel(entry, session)
    if (this.#folders !== undefined) return this.#folders(entries, item, this)
    if (session.state.folders.size > 0) {
      import('../on-demand.js').then(
        ({ channelFolders }) => {
          this.#folders = channelFolders
          this.requestUpdate()
        },
        // The channels are there without them.
        () => {},
      )
    }
    return html`<ul class="links" aria-labelledby="channels-heading">
      ${repeat(entries, ({ channelId }) => channelId, item)}
    </ul>`
  }

  #head(id: string, title: string, action: string, act: Act): TemplateResult {
    return html`<div class="bar list-head">
      ${this.#heading(id, title)} ${this.#button('plus', action, act)}
    </div>`
  }

  #heading(id: string, title: string): TemplateResult {
    return html`<h2 id=${id} aria-level=${this.level ?? nothing}>${title}</h2>`
  }

  #button(picture: IconName, action: string, act: Act): TemplateResult {
    return quietButton(picture, action, this.#opening(act))
  }

  #opening(act: Act): (event: Event) => void {
    return ({ currentTarget }) => {
      const { session } = this
      if (!(currentTarget instanceof HTMLElement) || session?.state.isRegistered !== true) return
      act(currentTarget, session).catch((error: unknown) =>
        this.tell('parley-problem', texts.failed(reasonOf(error))),
      )
    }
  }

  readonly #write: Act = async (...at) =>
    (await import('../people/new-message.js')).newMessage(...at)

  readonly #browse: Act = async (...at) =>
    (await import('../channels/browse.js')).browseChannels(...at)

  #channel(entry: ChannelEntry, session: Session): TemplateResult {
    const { channelId, name, isMuted, isPrivate, isWebPublic, count } = entry
    const place = this.place
    const isOpen =
      (place?.kind === 'channel' || place?.kind === 'topic') && place.channelId === channelId
    const picture = channelIcon(isPrivate, isWebPublic)
    return html`${this.#link({ kind: 'channel', channelId }, picture, name, isOpen ? 0 : count, isMuted)}
    ${isOpen ? this.#topicsOf(channelId, session) : nothing}`
  }

  #topicsOf(channelId: number, session: Session): TemplateResult {
    const open = this.place?.kind === 'topic' ? this.place.topic : undefined
    const { entries, rest } = this.#topics.of(channelId, session, open)
    return html`${repeat(
      entries,
      ({ topic }) => topic.toLowerCase(),
      ({ topic, count, isMuted }) =>
        this.#link({ kind: 'topic', channelId, topic }, 'branch', topicName(topic), count, isMuted),
    )}
    ${this.#more(rest, texts.moreTopics, 'topic', () => this.#topics.showMore())}`
  }

  /** Shows more links. The first of them gets the focus: the button may be gone. */
  #more(
    rest: number,
    text: (count: number) => string,
    style: string,
    show: () => void,
  ): TemplateResult | typeof nothing {
    if (rest === 0) return nothing
    const click = async ({ currentTarget }: Event): Promise<void> => {
      const list = currentTarget instanceof Element ? currentTarget.closest('ul') : null
      const before = new Set(this.querySelectorAll('.link'))
      show()
      this.requestUpdate()
      await this.updateComplete
      const links = [...(list?.querySelectorAll<HTMLElement>('a.link') ?? [])]
      links.find((link) => !before.has(link))?.focus()
    }
    return html`<li>
      <button class="link more ${style}" type="button" @click=${click}>
        ${style === '' ? nothing : html`<span class="branch"></span>`}<span class="name"
          >${text(rest)}</span
        >
      </button>
    </li>`
  }

  #link(
    place: Place,
    picture: PlaceLink['picture'],
    name: string | undefined,
    count: number,
    isMuted = false,
  ): TemplateResult {
    return html`<li>
      <parley-link
        .session=${this.session}
        .place=${place}
        .picture=${picture}
        .name=${name}
        .count=${count}
        .isMuted=${isMuted}
        .isHere=${this.place !== undefined && placeKey(this.place) === placeKey(place)}
      ></parley-link>
    </li>`
  }
}

define('parley-sidebar', Sidebar)
export type { Sidebar }
