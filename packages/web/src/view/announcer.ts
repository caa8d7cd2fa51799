import { directKey, foldTopic, type ChatState, type Message } from '@parley/client'
import { html, type TemplateResult } from 'lit'

import type { Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { dialogTexts } from '../dialog-texts.js'
import { after } from '../timers.js'
import { messageText } from '../html/message-text.js'
import { placeName } from './place-name.js'
import { define, View } from './view.js'

const pauseMilliseconds = 1000

/** Tells screen readers about new messages of others: at most once per second, history never. */
class Announcer extends View {
  static override properties = {
    ...View.properties,
    place: { attribute: false },
    text: { state: true },
  }
  /** Only messages of this place are announced. @default all */
  declare place: Place | undefined
  declare text: string
  /** The newest message that is no news; undefined until there is a state. */
  #knownId: number | undefined
  #freshCount = 0
  #freshId = 0
  #cancel: (() => void) | undefined

  constructor() {
    super()
    this.text = ''
    // Messages of others are unread when they arrive; those that are loaded change nothing here.
    followState(this, ({ unread }) => unread)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#cancel?.()
    this.#cancel = this.#knownId = undefined
    this.#freshCount = 0
  }

  protected override render(): TemplateResult {
    return html`<div class="only-read" role="status" aria-live="polite">${this.text}</div>`
  }

  protected override updated(): void {
    const { session } = this
    if (session?.state.isRegistered !== true) return
    const { state } = session
    const arrived = idsAfter(state, this.#knownId ?? 0, this.place)
    const isFirst = this.#knownId === undefined
    this.#knownId = arrived.reduce((newest, id) => Math.max(newest, id), this.#knownId ?? 0)
    // Those that the user has sent with another client.
    const isOwn = (id: number): boolean => state.messages.get(id)?.sender_id === state.me.user_id
    const fresh = arrived.filter((id) => !isOwn(id))
    if (isFirst || fresh.length === 0) return
    this.#freshCount += fresh.length
    this.#freshId = fresh.at(-1) ?? 0
    if (this.#cancel === undefined) this.#announce(session)
  }

  #announce(session: Session): void {
    const count = this.#freshCount
    if (count === 0) return
    this.#freshCount = 0
    const message = session.state.messages.get(this.#freshId)
    this.text =
      count === 1 && message !== undefined
        ? textOf(message, session)
        : dialogTexts.announceMore(count)
    this.#cancel = after(pauseMilliseconds, () => {
      this.#cancel = undefined
      this.#announce(session)
    })
  }
}

/** The ids of unread messages after one, without those of muted topics. */
function idsAfter({ unread, me }: ChatState, known: number, place: Place | undefined): number[] {
  const lists: (readonly number[])[] = []
  const ownKey = place?.kind === 'direct' ? directKey(place.userIds, me.user_id) : undefined
  for (const [key, ids] of unread.direct) {
    if (place === undefined || key === ownKey) lists.push(ids)
  }
  for (const [channelId, { topics }] of unread.channels) {
    if (place !== undefined && !('channelId' in place && place.channelId === channelId)) continue
    const ownTopic = place?.kind === 'topic' ? foldTopic(place.topic) : undefined
    for (const [topic, { ids, isMuted }] of topics) {
      if (!isMuted && (ownTopic === undefined || topic === ownTopic)) lists.push(ids)
    }
  }
  // They ascend, and few of them are new.
  return lists.flatMap((ids) => {
    const index = ids.findLastIndex((id) => id <= known)
    return ids.slice(index + 1)
  })
}

function textOf(message: Message, session: Session): string {
  return dialogTexts.announce(
    session.nameOf(message.sender_id) || message.sender_full_name,
    placeName(session.placeOf(message), session),
    messageText(message),
  )
}

define('parley-announcer', Announcer)
