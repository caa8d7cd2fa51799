import type { ReactiveControllerHost } from 'lit'

import { placeKey, type Place } from '../place.js'
import { keepText, keptText } from '../session/kept-texts.js'
import type { Session } from '../session/session.js'
import { now } from '../timers.js'

/** Texts that are not sent yet survive a reload, in this browser. */
const maxCharacters = 200_000

/** A text that is not sent yet, as this browser keeps it. */
export interface KeptDraft {
  readonly place: Place
  readonly text: string
  /** When the user has changed it, in UNIX seconds. */
  readonly at: number
  /** The draft as the server has it; undefined if the server has none. */
  readonly saved?: ({ readonly id: number } & DraftText) | undefined
  /** Texts that the server was asked to save: it may have them without an answer, or an event. */
  readonly asked?: readonly AskedText[]
}

interface DraftText {
  readonly text: string
  /** In UNIX seconds. */
  readonly at: number
}

export interface AskedText extends DraftText {
  readonly isAnswered: boolean
}

/**
 * The events about drafts of this page, with their keys as `detail`: `written` by the user;
 * `replacing` by that of another device, which a composer can prevent; and `replaced`.
 */
export const draftEvents = new EventTarget()

/** @returns false if that was prevented. */
export function tellOfDraft(type: 'written' | 'replacing' | 'replaced', key: string): boolean {
  return draftEvents.dispatchEvent(new CustomEvent(type, { detail: key, cancelable: true }))
}

/** The prefix of the keys of all drafts of a user. */
export function draftKeys({ url, state }: Session): string {
  return `parley-draft ${url} ${state.me.user_id} `
}

export function draftKey(session: Session, place: Place): string {
  // The server has no other drafts without a topic.
  const { kind } = place
  const isUntitled = kind === 'topic' && place.topic === ''
  const kept: Place = isUntitled ? { kind: 'channel', channelId: place.channelId } : place
  return draftKeys(session) + placeKey(kept)
}

export function readDraft(key: string): KeptDraft | undefined {
  const text = keptText(key)
  try {
    // Written by `writeDraft`.
    return text === undefined ? undefined : (JSON.parse(text) as KeptDraft)
  } catch {
    return undefined
  }
}

export function writeDraft(key: string, draft: KeptDraft): void {
  const isEmpty = draft.text === '' && draft.saved === undefined && !draft.asked?.length
  keepText(key, isEmpty ? undefined : JSON.stringify(draft))
}

export function loadDraft(session: Session, place: Place): string {
  return readDraft(draftKey(session, place))?.text ?? ''
}

/** Keeps the text that the user has written. */
export function saveDraft(session: Session, place: Place, text: string): void {
  const key = draftKey(session, place)
  const before = readDraft(key)
  writeDraft(key, {
    ...before,
    place,
    text: text.trim() === '' ? '' : text.slice(0, maxCharacters),
    // Clocks differ: a later change is newer.
    at: Math.max(now() / 1000, (before?.saved?.at ?? 0) + 1),
  })
  tellOfDraft('written', key)
}

/** Adds a text to the draft of a conversation that is not shown. */
export function addToDraft(session: Session, place: Place, text: string): void {
  const before = loadDraft(session, place)
  saveDraft(session, place, before === '' ? `${text} ` : `${before.trimEnd()} ${text} `)
  tellOfDraft('replaced', draftKey(session, place))
}

const topicStorageKey = (session: Session, place: Place): string =>
  `${draftKeys(session).replace('draft', 'topic')}${placeKey(place)}`

/** The name of a new topic, which is not sent yet. */
export function loadTopic(session: Session, place: Place): string {
  return keptText(topicStorageKey(session, place)) ?? ''
}

export function saveTopic(session: Session, place: Place, topic: string): void {
  keepText(topicStorageKey(session, place), topic || undefined)
}

interface DraftView extends HTMLElement, ReactiveControllerHost {
  readonly session: Session | undefined
  readonly place: Place
}

/** Lets others change the text of a composer, but not under the cursor. */
export function followDraft(view: DraftView, show: () => void): void {
  const follow = (event: Event): void => {
    const { session, place } = view
    if (!(event instanceof CustomEvent) || session === undefined) return
    if (event.detail !== draftKey(session, place)) return
    const field = view.querySelector('textarea')
    const isUsed = field?.matches(':focus') === true && field.value !== '' && document.hasFocus()
    if (isUsed) event.preventDefault()
    else if (event.type !== 'replacing') show()
  }
  const types = ['written', 'replacing', 'replaced']
  view.addController({
    hostConnected: () => types.forEach((type) => draftEvents.addEventListener(type, follow)),
    hostDisconnected: () => types.forEach((type) => draftEvents.removeEventListener(type, follow)),
  })
}
