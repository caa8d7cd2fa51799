import type { ChatState, Message } from '@parley/client'
import type { ReactiveController } from 'lit'

import { isGiven } from '../chat/given-target.js'
import type { ParleyChat } from '../chat/parley-chat.js'
import { messageText } from '../html/message-text.js'
import { placeKey, type Place } from '../place.js'
import { isKept } from '../session/kept-choices.js'
import type { Session } from '../session/session.js'
import { after } from '../timers.js'
import { placeName } from '../view/place-name.js'
import { notificationKind } from './notification-kind.js'
import { playSound } from './notification-sound.js'
import { desktopTexts } from './desktop-notification-texts.js'
import { notificationsKey } from './notifications-key.js'

/** Another tab of this browser may show the message: it says so in this time. */
const pauseMilliseconds = 300
const lockMilliseconds = 10_000

/** A message of which the user's settings want a notification or a sound. */
interface WantedNotification {
  readonly message: Message
  readonly isShown: boolean
  readonly isHeard: boolean
}

/** Notifications of the desktop about new messages. */
export class DesktopNotifications implements ReactiveController {
  readonly #chat: ParleyChat
  #session: Session | undefined
  #stop: (() => void) | undefined
  /** The newest message that is no news. */
  #knownId = 0
  readonly #shown = new Map<number, Notification>()
  /** Messages that the user has before the eyes, in this tab or another. */
  readonly #seen = new Set<number>()
  #tabs: BroadcastChannel | undefined

  constructor(chat: ParleyChat) {
    this.#chat = chat
  }

  hostUpdated(): void {
    const { session } = this.#chat
    if (session === this.#session || session?.state.isRegistered !== true) return
    this.hostDisconnected()
    this.#session = session
    this.#knownId = Math.max(0, ...unreadIds(session.state))
    this.#tabs = new BroadcastChannel(notificationsKey(session))
    this.#tabs.addEventListener('message', ({ data }) => this.#seen.add(Number(data)))
    this.#stop = session.store.subscribe(
      ({ unread }) => unread,
      () => this.#look(session),
    )
  }

  hostDisconnected(): void {
    this.#stop?.()
    this.#tabs?.close()
    this.#session = this.#stop = this.#tabs = undefined
    for (const notification of this.#shown.values()) notification.close()
    this.#shown.clear()
    this.#seen.clear()
  }

  #look(session: Session): void {
    const { state } = session
    const unread = unreadIds(state)
    const fresh = [...unread].filter((id) => id > this.#knownId).sort((a, b) => a - b)
    this.#knownId = fresh.at(-1) ?? this.#knownId
    for (const [id, notification] of this.#shown) {
      if (!unread.has(id)) notification.close()
    }
    const wanted = fresh.flatMap((id) => {
      const message = state.messages.get(id)
      if (message === undefined) return []
      const { isShown, isHeard } = notificationKind(message, state)
      return isShown || isHeard ? [{ message, isShown, isHeard }] : []
    })
    // Looking whether they are on takes half a millisecond.
    if (wanted.length === 0 || !this.#isOn(session)) return
    for (const each of wanted) this.#arrive(each, session)
  }

  #isOn(session: Session): boolean {
    // An element with a place of its own leaves the others to the page around it.
    if (isGiven(this.#chat)) return false
    if (!('Notification' in window) || Notification.permission !== 'granted') return false
    return isKept(notificationsKey(session))
  }

  #arrive({ message, isShown, isHeard }: WantedNotification, session: Session): void {
    if (this.#hasBeforeEyes(message, session)) {
      this.#tabs?.postMessage(message.id)
      return
    }
    after(pauseMilliseconds, () => {
      if (session !== this.#session || this.#seen.delete(message.id)) return
      if (!unreadIds(session.state).has(message.id)) return
      if (isHeard) soundInOneTab(`${notificationsKey(session)} ${message.id}`)
      if (isShown) this.#show(message, session)
    })
  }

  #hasBeforeEyes(message: Message, session: Session): boolean {
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return false
    const place = this.#chat.parts.conversation?.place
    return place !== undefined && contains(place, message, session)
  }

  #show(message: Message, session: Session): void {
    const { id } = message
    const place = session.placeOf(message)
    const isDirect = place.kind === 'direct'
    const sender = session.nameOf(message.sender_id) || message.sender_full_name
    const isHidden = isDirect && !session.state.me.user_settings.pm_content_in_desktop_notifications
    try {
      const notification = new Notification(
        isDirect && place.userIds.length === 1
          ? sender
          : desktopTexts.titleIn(sender, placeName(place, session)),
        {
          body: isHidden ? desktopTexts.hiddenText : messageText(message),
          // The same message of another tab is the same notification.
          tag: `${notificationsKey(session)} ${id}`,
          silent: true,
        },
      )
      this.#shown.set(id, notification)
      notification.addEventListener('close', () => {
        if (this.#shown.get(id) === notification) this.#shown.delete(id)
      })
      notification.addEventListener('click', () => {
        notification.close()
        window.focus()
        this.#chat.open({ place, near: id })
      })
    } catch {
      // Browsers of phones let only service workers show notifications.
    }
  }
}

/** Whether a place shows a message. */
function contains(shown: Place, message: Message, session: Session): boolean {
  if (shown.kind === 'all') return true
  if (shown.kind === 'starred') return message.flags.includes('starred')
  if (shown.kind === 'mentions') return message.flags.includes('mentioned')
  if (shown.kind === 'channel') return shown.channelId === message.stream_id
  return placeKey(shown) === placeKey(session.placeOf(message))
}

function unreadIds({ unread }: ChatState): Set<number> {
  const topics = [...unread.channels.values()].flatMap(({ topics }) => [...topics.values()])
  return new Set([...unread.direct.values(), ...topics.map(({ ids }) => ids)].flat())
}

/** Plays a sound in the tab that is the first one to ask for this lock. */
function soundInOneTab(name: string): void {
  const play = async (lock: Lock | null): Promise<void> => {
    if (lock === null) return
    playSound()
    // The others ask within this time.
    await new Promise<void>((resolve) => after(lockMilliseconds, resolve))
  }
  navigator.locks.request(name, { ifAvailable: true }, play).catch(() => {})
}
