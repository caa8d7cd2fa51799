import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { hashOf, placeKey, type Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { channelIcon } from '../view/channel-icon.js'
import { icon, type IconName } from '../view/icons.js'
import { placeName, topicName } from '../view/place-name.js'
import { presenceDot } from '../view/presence.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { channelsOf, directsOf, type ChannelEntry } from './entries.js'
import { LinkKeys } from './link-keys.js'
import { TopicLists } from './topic-lists.js'

type Act = (opener: HTMLElement, session: Session) => Promise<void>

/** The list of channels, topics and direct conversations. */
class Sidebar extends View {
  static override properties = {
    ...View.properties,
    place: { attribute: false },
    isNarrow: { attribute: false },
  }
  declare place: Place | undefined
  /** The list is shown instead of a conversation. */
  declare isNarrow: boolean
  #focused: HTMLElement | null = null
  readonly #keys = new LinkKeys(this)
  readonly #topics = new TopicLists(this)

  constructor() {
    super()
    followState(this, ({ channels }) => channels)
    followState(this, ({ unread }) => unread)
    followState(this, ({ starred }) => starred)
    followState(this, ({ me }) => me.user_settings.starred_message_counts)
    followState(this, ({ users }) => users)
    followState(this, ({ presence }) => presence)
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
    link?.focus({ preventScroll: true })
    // Its topics are below it.
    link?.scrollIntoView({ block: 'center' })
  }

  protected override willUpdate(): void {
    this.#focused = this.querySelector<HTMLElement>('a:focus')
  }

  protected override updated(): void {
    // What is moved in the list loses the focus.
    if (this.#focused?.matches(':focus') === false) this.#focused.focus()
    this.#keys.apply()
  }

  protected override render(): TemplateResult {
    const { session } = this
    return html`<nav class="sidebar" part="sidebar" aria-label=${texts.channels}>
        ${session?.state.isRegistered !== true ? this.#waiting() : this.#lists(session)}
      </nav>
      <div class="bar">
        ${this.#button('settings2', texts.settings, this.#settings)}
        <parley-foot .session=${session}></parley-foot>
      </div>`
  }

  #waiting(): TemplateResult {
    return html`<div class="placeholder" aria-hidden="true">
      ${[70, 45, 60, 50, 65].map((width) => html`<i class=${`bar w${width}`}></i>`)}
    </div>`
  }

  #lists(session: Session): TemplateResult {
    const { unread, starred, me } = session.state
    const starCount = me.user_settings.starred_message_counts ? starred.size : 0
    const directs = directsOf(session)
    return html`<ul class="links">
        ${this.#link({ kind: 'all' }, icon('inbox'), texts.all, unread.total)}
        ${this.#link({ kind: 'mentions' }, icon('atSign'), texts.mentions, unread.mentions.length)}
        ${this.#link({ kind: 'starred' }, icon('star'), texts.starredMessages, starCount, false, 'total')}
      </ul>
      ${this.#head('directs-heading', texts.directMessages, texts.newDirect, this.#write)}
      <ul class="links" aria-labelledby="directs-heading">
        ${repeat(
          directs,
          ({ key }) => key,
          ({ place, count }) =>
            this.#link(place, presenceDot(session, place), placeName(place, session), count),
        )}
      </ul>
      ${this.#head('channels-heading', texts.channels, texts.allChannels, this.#browse)}
      <ul class="links" aria-labelledby="channels-heading">
        ${repeat(
          channelsOf(session),
          ({ channelId }) => channelId,
          (entry) => this.#channel(entry, session),
        )}
      </ul>`
  }

  #head(id: string, title: string, action: string, act: Act): TemplateResult {
    return html`<div class="bar list-head">
      <h2 id=${id}>${title}</h2>
      ${this.#button('plus', action, act)}
    </div>`
  }

  #button(picture: IconName, action: string, act: Act): TemplateResult {
    const open = ({ currentTarget }: Event): void => {
      const { session } = this
      if (!(currentTarget instanceof HTMLElement) || session?.state.isRegistered !== true) return
      act(currentTarget, session).catch((error: unknown) =>
        this.tell('parley-problem', texts.failed(reasonOf(error))),
      )
    }
    return html`<button
      class="quiet"
      aria-label=${action}
      title=${action}
      aria-haspopup="dialog"
      @click=${open}
    >
      ${icon(picture)}
    </button>`
  }

  readonly #write: Act = async (...at) => (await import('../on-demand.js')).newMessage(...at)

  readonly #browse: Act = async (...at) => (await import('../on-demand.js')).browseChannels(...at)

  readonly #settings: Act = async (...at) => {
    const text = await (await import('../settings/index.js')).openSettings(...at)
    if (text !== '') this.tell('parley-restore', text)
  }

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
    const entries = this.#topics.of(channelId, session, open)
    return html`${repeat(
      entries,
      ({ topic }) => topic.toLowerCase(),
      ({ topic, count, isMuted }) =>
        this.#link(
          { kind: 'topic', channelId, topic },
          html`<span class="branch"></span>`,
          topicName(topic),
          count,
          isMuted,
          'topic',
        ),
    )}`
  }

  #link(
    place: Place,
    picture: unknown,
    name: string,
    count: number,
    isMuted = false,
    style = '',
  ): TemplateResult {
    const isTotal = style === 'total'
    const isHere = this.place !== undefined && placeKey(this.place) === placeKey(place)
    return html`<li>
      <a
        class="link ${style} ${isMuted ? 'muted' : ''} ${count > 0 && !isTotal ? 'unread' : ''}"
        part="sidebar-link"
        href=${hashOf({ place })}
        aria-current=${isHere ? 'page' : nothing}
        >${picture}<span class="name" dir="auto">${name}</span>${
          isMuted ? html`<span class="only-read">${texts.muted}</span>` : nothing
        }${
          count > 0
            ? html`<span class="count" part="count"
                ><span aria-hidden="true">${count}</span
                ><span class="only-read"
                  >${isTotal ? texts.messageCount(count) : texts.unread(count)}</span
                ></span
              >`
            : nothing
        }</a
      >
    </li>`
  }
}

define('parley-sidebar', Sidebar)
