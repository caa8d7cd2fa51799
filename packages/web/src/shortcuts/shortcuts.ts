import type { Message } from '@parley/client'

import { isGiven } from '../chat/given-target.js'
import type { ParleyChat } from '../chat/parley-chat.js'
import type { Conversation } from '../conversation/conversation.js'
import { placeKey } from '../place.js'
import { isKept } from '../session/kept-choices.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { reasonOf } from '../view/reason.js'
import { showShortcuts, withoutKeysKey } from './shortcut-help.js'
import type { shortcutTexts } from './shortcut-texts.js'
import { nextUnread } from './unread-places.js'
import { tell } from '../view/part-events.js'

interface Context {
  readonly chat: ParleyChat
  readonly session: Session
  readonly target: HTMLElement
  readonly conversation: Conversation | null
  /** The one with the focus, or that would get it by Tab. */
  readonly message: Message | undefined
}

/** Each returns false if it has nothing to do. */
const actions: Record<keyof typeof shortcutTexts.keys, (context: Context) => boolean> = {
  r: ({ chat, session, message }) => {
    if (message === undefined) return focusComposer(chat)
    const place = session.placeOf(message)
    const key = placeKey(place)
    const isShown = (): boolean => {
      const shown = chat.parts.conversation?.place
      return shown !== undefined && placeKey(shown) === key
    }
    if (isShown()) return focusComposer(chat)
    const before = chat.target
    const controller = {
      hostUpdated(): void {
        if (chat.target === before) return
        chat.removeController(controller)
        if (isShown()) void chat.parts.composer?.updateComplete.then(() => focusComposer(chat))
      },
    }
    // With a place of its own, only that one is shown.
    if (!isGiven(chat)) chat.addController(controller)
    chat.open({ place, near: message.id })
    return true
  },
  c: ({ chat }) => focusComposer(chat),
  n: (context) => goToUnread(context, 1),
  p: (context) => goToUnread(context, -1),
  s: ({ session, conversation, message }) => {
    if (message === undefined) return false
    const op = message.flags.includes('starred') ? 'remove' : 'add'
    session.client.api
      .updateMessageFlags({ messages: [message.id], op, flag: 'starred' })
      .catch((error: unknown) => {
        if (conversation !== null) {
          tell(conversation, 'parley-problem', texts.failed(reasonOf(error)))
        }
      })
    return true
  },
  '/': ({ chat: { parts } }) => {
    parts.search?.focus()
    return parts.search !== null
  },
  '?': ({ target }) => {
    void showShortcuts(target)
    return true
  },
}

/** Handles shortcuts of one key, while the list of messages or of conversations has the focus. */
export function addShortcuts(chat: ParleyChat): void {
  chat.addEventListener('keydown', (event) => {
    const context = contextOf(event, chat)
    if (context === undefined) return
    const isHelp = event.ctrlKey && event.key === '/'
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey
    const action = isHelp
      ? actions['?']
      : isPlain && !isKept(withoutKeysKey)
        ? Object.entries(actions).find(([key]) => key === event.key)?.[1]
        : undefined
    if (action?.(context) !== true) return
    event.preventDefault()
    // The surrounding page may have shortcuts too.
    event.stopPropagation()
  })
}

function contextOf(event: KeyboardEvent, chat: ParleyChat): Context | undefined {
  const { session } = chat
  const [target] = event.composedPath()
  if (event.defaultPrevented || session?.state.isRegistered !== true) return undefined
  if (!(target instanceof HTMLElement) || target.matches('input, textarea, select'))
    return undefined
  if (target.closest('.scroller, parley-sidebar') === null) return undefined
  const conversation = chat.parts.conversation
  const row = target.closest<HTMLElement>('.message')
  const id = row === null ? conversation?.currentId : Number(row.dataset['id'])
  const message = conversation?.messages.find((each) => each.id === id)
  return { chat, session, target, conversation, message }
}

function goToUnread({ chat, session, target, conversation }: Context, step: 1 | -1): boolean {
  if (isGiven(chat)) return false
  const place = nextUnread(session, conversation?.place, step)
  if (place === undefined) return false
  const isInList = target.closest('.scroller') !== null
  // The messages of the other place are not there yet, and this one is gone soon.
  if (isInList) conversation?.focus()
  chat.open({ place })
  if (!isInList && chat.isNarrow)
    void chat.updateComplete.then(() => chat.parts.conversation?.focus())
  return true
}

function focusComposer({ parts: { composer } }: ParleyChat): boolean {
  composer?.focus()
  return composer?.hasField === true
}
