import { ApiError, type Draft } from '@parley/client'

import {
  draftEvents,
  draftKey,
  draftKeys,
  readDraft,
  tellOfDraft,
  writeDraft,
  type KeptDraft,
} from '../composer/drafts.js'
import type { Session } from '../session/session.js'
import { after, now } from '../timers.js'
import { isEqual, placeOf, wireOf } from './draft-values.js'

/** A draft is sent to the server after a pause, and while the user goes on writing. */
const pauseMilliseconds = 2000
const longestMilliseconds = 10_000

interface Waiting {
  readonly since: number
  readonly stop: () => void
}

/**
 * Keeps the drafts of this browser and those of the server equal. The newest one of a conversation
 * is shown; if two devices have changed one, the server keeps both.
 */
export class DraftSync {
  readonly #session: Session
  readonly #waiting = new Map<string, Waiting>()
  /** What is being written to the server. */
  readonly #saving = new Set<string>()
  /** Drafts that the server has had: those that are gone were deleted. */
  readonly #seen = new Set<number>()
  readonly #deleted = new Set<number>()
  /** What the store has of drafts that were saved, until the event of that has come. */
  readonly #outdated = new Map<number, Draft>()
  /** Since when a conversation has none here, in UNIX seconds: older ones do not come up again. */
  readonly #emptySince = new Map<string, number>()
  /** The texts that the server has refused; they stay in this browser. */
  readonly #refused = new Map<string, string>()
  readonly #ends: (() => void)[]
  /** One write at a time. */
  #last: Promise<unknown> = Promise.resolve()
  /** Whether a draft of the server waits until the user has left the field. */
  #isHeld = false

  constructor(session: Session) {
    this.#session = session
    for (const key of this.#keptKeys()) {
      const id = readDraft(key)?.saved?.id
      if (id !== undefined) this.#seen.add(id)
    }
    const { store } = session
    const look = (): void => this.#lookAtAll()
    this.#ends = [
      store.subscribe(({ drafts }) => drafts, look),
      store.subscribe(({ connection }) => connection.kind, look),
      store.subscribe(({ me }) => isOn(me), look),
      listen(draftEvents, 'written', (event) => this.#written(event)),
      listen(window, 'storage', (event) => this.#changedByTab(event)),
      listen(window, 'focusout', () => this.#left()),
      listen(window, 'blur', () => this.#left()),
      listen(document, 'visibilitychange', () => {
        if (document.visibilityState === 'hidden') this.#saveAll()
      }),
    ]
    look()
  }

  stop(): void {
    this.#saveAll()
    for (const end of this.#ends) end()
  }

  get #isReady(): boolean {
    const { isRegistered, connection } = this.#session.state
    return isRegistered && connection.kind === 'connected'
  }

  #lookAtAll(): void {
    const { state } = this.#session
    if (!this.#isReady) return
    if (!isOn(state.me)) {
      // The server has deleted all of them: each browser keeps its own.
      for (const key of this.#keptKeys()) change(key, (draft) => ({ ...draft, saved: undefined }))
      return
    }
    const keys = new Set(this.#keptKeys())
    for (const draft of state.drafts.values()) {
      this.#seen.add(draft.id)
      const key = this.#keyOf(draft)
      if (key !== undefined) keys.add(key)
    }
    this.#isHeld = false
    for (const key of keys) this.#look(key)
  }

  /** Takes over what other devices have changed. */
  #look(key: string): void {
    if (this.#saving.has(key)) return
    const kept = readDraft(key)
    if (kept !== undefined && isChanged(kept)) {
      if (!this.#waiting.has(key) && this.#refused.get(key) !== kept.text) this.#save(key)
      return
    }
    const { drafts } = this.#session.state
    const saved = kept?.saved
    const own = saved === undefined ? undefined : drafts.get(saved.id)
    const others = [...drafts.values()].filter(
      (draft) => draft !== own && !this.#deleted.has(draft.id) && this.#keyOf(draft) === key,
    )
    const newest = others.reduce<Draft | undefined>(newer, undefined)
    if (saved === undefined) {
      const since = this.#emptySince.get(key) ?? 0
      if (newest !== undefined && newest.timestamp >= since) this.#replace(key, newest)
    } else if (newest !== undefined && newest.timestamp > Math.max(saved.at, own?.timestamp ?? 0)) {
      this.#replace(key, newest)
    } else if (own !== undefined) {
      const isCurrent = own.timestamp >= saved.at && own !== this.#outdated.get(saved.id)
      if (isCurrent) this.#replace(key, own)
    } else if (this.#seen.has(saved.id)) {
      this.#emptySince.set(key, saved.at)
      this.#replace(key, undefined)
    }
  }

  #replace(key: string, draft: Draft | undefined): void {
    const kept = readDraft(key)
    const place = draft === undefined ? kept?.place : placeOf(draft, this.#session)
    if (place === undefined) return
    const text = draft?.content ?? ''
    const isSame = isEqual(kept?.text ?? '', text)
    if (!isSame && !tellOfDraft('replacing', key)) {
      this.#isHeld = true
      return
    }
    const at = draft?.timestamp ?? 0
    writeDraft(key, { place, text, at, saved: draft && { id: draft.id, text, at } })
    if (!isSame) tellOfDraft('replaced', key)
  }

  #written(event: Event): void {
    // The event is one of `tellOfDraft`.
    const key = event instanceof CustomEvent ? (event.detail as string) : ''
    if (!key.startsWith(draftKeys(this.#session))) return
    const kept = readDraft(key)
    // What is sent is gone at once.
    if (kept !== undefined && kept.text !== '') this.#wait(key)
    else this.#save(key)
  }

  /** Another tab of this browser keeps the same drafts. */
  #changedByTab(event: Event): void {
    const key = event instanceof StorageEvent ? event.key : null
    if (key?.startsWith(draftKeys(this.#session)) === true) tellOfDraft('replaced', key)
  }

  #left(): void {
    if (this.#isHeld) this.#lookAtAll()
  }

  #wait(key: string, milliseconds = pauseMilliseconds): void {
    const before = this.#waiting.get(key)
    before?.stop()
    const since = before?.since ?? now()
    const rest = since + longestMilliseconds - now()
    const stop = after(Math.max(0, Math.min(milliseconds, rest)), () => this.#save(key))
    this.#waiting.set(key, { since, stop })
  }

  #saveAll(): void {
    for (const key of this.#waiting.keys()) this.#save(key)
  }

  #save(key: string): void {
    this.#waiting.get(key)?.stop()
    this.#waiting.delete(key)
    if (readDraft(key)?.text === undefined) this.#emptySince.set(key, Math.floor(now() / 1000))
    this.#last = this.#last.then(async () => {
      if (!this.#isReady || !isOn(this.#session.state.me)) return
      this.#saving.add(key)
      try {
        // Another tab of this browser may be about to do the same.
        if ('locks' in navigator) {
          await navigator.locks.request('parley-drafts', () => this.#write(key))
        } else await this.#write(key)
        this.#saving.delete(key)
        this.#look(key)
      } catch (error) {
        this.#saving.delete(key)
        const kept = readDraft(key)
        if (isFinal(error)) this.#refused.set(key, kept?.text ?? '')
        else this.#wait(key, longestMilliseconds)
      }
    })
  }

  async #write(key: string): Promise<void> {
    const { state, client } = this.#session
    const kept = readDraft(key)
    if (kept === undefined || !isChanged(kept)) return
    const { text, at, saved } = kept
    const isOwn = saved !== undefined && this.#isUnchanged(saved)
    if (text === '') {
      this.#emptySince.set(key, Math.floor(at))
      if (isOwn) {
        await ifThere(client.api.deleteDraft({ draft_id: saved.id }))
        this.#deleted.add(saved.id)
      }
      change(key, (draft) => ({ ...draft, saved: undefined }))
      return
    }
    const draft = wireOf(kept, this.#session)
    // The server would cut a long text.
    if (draft === undefined || text.length > (state.organization.max_message_length ?? Infinity)) {
      this.#refused.set(key, text)
      return
    }
    let id = isOwn ? saved.id : undefined
    const before = state.drafts.get(id ?? 0)
    if (id !== undefined && !(await ifThere(client.api.editDraft({ draft_id: id, draft })))) {
      id = undefined
    }
    id ??= (await client.api.createDrafts({ drafts: [draft] })).ids[0]
    if (id === undefined) return
    const isSaved = { id, text, at: Math.floor(at) }
    if (before?.id === id && this.#session.state.drafts.get(id) === before)
      this.#outdated.set(id, before)
    change(key, (later) => ({ ...later, saved: isSaved }))
  }

  /** Whether no other device has changed or deleted what this one has saved. */
  #isUnchanged({ id, text }: NonNullable<KeptDraft['saved']>): boolean {
    const draft = this.#session.state.drafts.get(id)
    if (draft === undefined) return !this.#seen.has(id)
    return draft === this.#outdated.get(id) || isEqual(draft.content, text)
  }

  #keptKeys(): string[] {
    const start = draftKeys(this.#session)
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(start))
    } catch {
      // The browser keeps nothing for this page.
      return []
    }
  }

  #keyOf(draft: Draft): string | undefined {
    const place = placeOf(draft, this.#session)
    return place === undefined ? undefined : draftKey(this.#session, place)
  }
}

function isOn({ user_settings }: Session['state']['me']): boolean {
  return user_settings.enable_drafts_synchronization
}

function isChanged({ text, saved }: KeptDraft): boolean {
  return !isEqual(text, saved?.text ?? '')
}

function newer(one: Draft | undefined, other: Draft): Draft {
  if (one === undefined || other.timestamp > one.timestamp) return other
  return one.timestamp === other.timestamp && other.id > one.id ? other : one
}

function change(key: string, next: (draft: KeptDraft) => KeptDraft): void {
  const draft = readDraft(key)
  if (draft !== undefined) writeDraft(key, next(draft))
}

/** Waits for a change of a draft. @returns false if it was deleted. */
async function ifThere(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

/** Whether the same call would fail again. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429
}

function listen(on: EventTarget, type: string, listener: (event: Event) => void): () => void {
  on.addEventListener(type, listener)
  return () => on.removeEventListener(type, listener)
}
