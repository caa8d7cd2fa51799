import type { Draft } from '@parley/client'

import {
  draftEvents,
  draftKey,
  draftKeys,
  readDraft,
  tellOfDraft,
  writeDraft,
  type KeptDraft,
} from '../composer/drafts.js'
import { keptKeys } from '../session/kept-texts.js'
import type { Session } from '../session/session.js'
import { after, now } from '../timers.js'
import { ifThere, isFinal, locked } from './draft-calls.js'
import {
  nextStep,
  savedOf,
  withAsked,
  withoutAsked,
  withSaved,
  type DraftStep,
} from './draft-step.js'
import { isEqual, placeOf, wireOf } from './draft-values.js'

/** A draft is sent to the server after a pause, and while the user goes on writing. */
const pauseMilliseconds = 2000
const longestMilliseconds = 10_000
const longestAnswerSeconds = 86_400

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
  /** The conversations for which the server is asked. */
  readonly #asking = new Set<string>()
  /** Drafts that the server has had: those that are gone were deleted. */
  readonly #seen = new Set<number>()
  readonly #deleted = new Set<number>()
  /** Since when a conversation has none here, in UNIX seconds: older ones do not come up again. */
  readonly #emptySince = new Map<string, number>()
  /** The texts that the server has refused; they stay in this browser. */
  readonly #refused = new Map<string, string>()
  readonly #ends: (() => void)[]
  /** One write at a time. */
  #last: Promise<unknown> = Promise.resolve()
  /** Whether a draft of the server waits until the user has left the field. */
  #isHeld = false
  #isStopped = false

  constructor(session: Session) {
    this.#session = session
    for (const key of this.#keptKeys()) {
      const kept = readDraft(key)
      if (kept?.saved !== undefined) this.#seen.add(kept.saved.id)
      // Answers to requests from so long ago do not come any more.
      else if (kept?.text === '' && kept.at < now() / 1000 - longestAnswerSeconds) {
        writeDraft(key, { ...kept, asked: [] })
      }
    }
    const look = (): void => this.#lookAtAll()
    this.#ends = [
      session.store.subscribe(({ drafts }) => drafts, look),
      session.store.subscribe(({ connection }) => connection.kind, look),
      session.store.subscribe(({ me }) => isOn(me), look),
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
    this.#isStopped = true
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
      for (const key of this.#keptKeys()) {
        change(key, (draft) => ({ ...draft, saved: undefined, asked: [] }))
      }
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

  /** Does the next step for a conversation, unless one is running, or the user goes on writing. */
  #look(key: string, kept = readDraft(key)): void {
    if (this.#asking.has(key) || this.#waiting.has(key)) return
    // After a log-out this browser keeps no drafts of the user.
    if (this.#isStopped && kept === undefined) return
    const step = this.#stepOf(key, kept)
    if (step.kind === 'shown') this.#show(key, step.draft)
    else if (step.kind === 'found' && kept !== undefined) {
      const found = withSaved(kept, step.saved)
      writeDraft(key, found)
      this.#look(key, found)
    } else if (step.kind !== 'clean') this.#ask(key)
  }

  #stepOf(key: string, kept: KeptDraft | undefined): DraftStep {
    const drafts = [...this.#session.state.drafts.values()].filter(
      (draft) => !this.#deleted.has(draft.id) && this.#keyOf(draft) === key,
    )
    const step = nextStep(kept, drafts, this.#seen, this.#emptySince.get(key) ?? 0)
    const isRequest = step.kind === 'saving' || step.kind === 'deleting'
    return isRequest && this.#refused.get(key) === kept?.text ? { kind: 'clean' } : step
  }

  #show(key: string, draft: Draft | undefined): void {
    const kept = readDraft(key)
    const place = draft === undefined ? kept?.place : placeOf(draft, this.#session)
    if (place === undefined) return
    const text = draft?.content ?? ''
    const isSame = isEqual(kept?.text ?? '', text)
    if (!isSame && !tellOfDraft('replacing', key)) {
      this.#isHeld = true
      return
    }
    if (draft === undefined) this.#emptySince.set(key, kept?.saved?.at ?? 0)
    const shown = { ...kept, place, text, at: draft?.timestamp ?? 0 }
    writeDraft(key, withSaved(shown, draft && savedOf(draft)))
    if (!isSame) tellOfDraft('replaced', key)
  }

  #written(event: Event): void {
    // The event is one of `tellOfDraft`.
    const key = event instanceof CustomEvent ? (event.detail as string) : ''
    if (!key.startsWith(draftKeys(this.#session))) return
    if (loadedText(key) !== '') this.#wait(key)
    else {
      // The draft of a sent message is deleted at once.
      this.#empty(key)
      this.#save(key)
    }
  }

  #empty(key: string): void {
    this.#emptySince.set(key, Math.floor(readDraft(key)?.at ?? now() / 1000))
  }

  /** Another tab of this browser keeps the same drafts. */
  #changedByTab(event: Event): void {
    const key = event instanceof StorageEvent ? event.key : null
    if (key?.startsWith(draftKeys(this.#session)) !== true) return
    if (loadedText(key) === '') this.#empty(key)
    tellOfDraft('replaced', key)
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
    this.#look(key)
  }

  #ask(key: string): void {
    this.#asking.add(key)
    this.#last = this.#last.then(async () => {
      const isPossible = this.#isReady && isOn(this.#session.state.me)
      try {
        if (isPossible) await locked(() => this.#askNow(key))
        this.#asking.delete(key)
        // Changes that the user has made since are next.
        if (isPossible) this.#look(key)
      } catch {
        this.#asking.delete(key)
        this.#wait(key, longestMilliseconds)
      }
    })
  }

  /** Asks the server for the next step when no other tab of this browser does. */
  async #askNow(key: string): Promise<void> {
    const kept = readDraft(key)
    const step = this.#stepOf(key, kept)
    if (kept === undefined) return
    try {
      if (step.kind === 'deleting') await this.#delete(key, step.id)
      if (step.kind === 'saving') await this.#write(key, step.id, withAsked(kept))
    } catch (error) {
      if (!isFinal(error)) throw error
      this.#refused.set(key, kept.text)
    }
  }

  async #delete(key: string, draft_id: number): Promise<void> {
    await ifThere(this.#session.client.api.deleteDraft({ draft_id }))
    this.#deleted.add(draft_id)
    change(key, (draft) => (draft.saved?.id === draft_id ? withSaved(draft, undefined) : draft))
  }

  async #write(
    key: string,
    known: number | undefined,
    kept: ReturnType<typeof withAsked>,
  ): Promise<void> {
    const { state, client } = this.#session
    const { text, asked } = kept
    const at = asked.at(-1)?.at ?? 0
    const draft = wireOf({ ...kept, at }, this.#session)
    // The server would cut a long text.
    if (draft === undefined || text.length > (state.organization.max_message_length ?? Infinity)) {
      this.#refused.set(key, text)
      return
    }
    writeDraft(key, kept)
    let id = known
    try {
      if (id !== undefined && !(await ifThere(client.api.editDraft({ draft_id: id, draft })))) {
        id = undefined
      }
      id ??= (await client.api.createDrafts({ drafts: [draft] })).ids[0]
    } catch (error) {
      if (isFinal(error)) change(key, (later) => withoutAsked(later, at))
      throw error
    }
    if (id === undefined) this.#refused.set(key, text)
    else {
      const saved = { id, text, at }
      change(key, (later) => withSaved(later, saved))
    }
  }

  #keptKeys(): string[] {
    return keptKeys().filter((key) => key.startsWith(draftKeys(this.#session)))
  }

  #keyOf(draft: Draft): string | undefined {
    const place = placeOf(draft, this.#session)
    return place === undefined ? undefined : draftKey(this.#session, place)
  }
}

function isOn({ user_settings }: Session['state']['me']): boolean {
  return user_settings.enable_drafts_synchronization
}

function loadedText(key: string): string {
  return readDraft(key)?.text ?? ''
}

function change(key: string, next: (draft: KeptDraft) => KeptDraft): void {
  const draft = readDraft(key)
  if (draft !== undefined) writeDraft(key, next(draft))
}

function listen(on: EventTarget, type: string, listener: (event: Event) => void): () => void {
  on.addEventListener(type, listener)
  return () => on.removeEventListener(type, listener)
}
