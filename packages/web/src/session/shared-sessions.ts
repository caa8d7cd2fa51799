import { ChatClient, type Credentials, type OutboxStorage } from '@parley/client'

import { after } from '../timers.js'
import { keepText, keptText } from './kept-texts.js'
import { Session } from './session.js'

interface Shared {
  readonly session: Session
  uses: number
  /** Prevents that an unused session is closed. */
  keep: () => void
  /** Removes the listeners of the page. */
  readonly stop: () => void
}

/** An element that a page moves is removed and added again. */
const closingMilliseconds = 1000

/** The sessions of this page, by address, user and key: its elements share connections. */
const sessions = new Map<string, Shared>()

/**
 * The session of an address, which is opened if no element of the page has it yet.
 *
 * @returns it, and how to give it back.
 */
export function useSession(
  url: string,
  credentials: Credentials,
): { readonly session: Session; readonly release: () => void } {
  const { type } = credentials
  const user = type === 'apiKey' ? credentials.email : type === 'visitor' ? type : ''
  const name = `${url} ${user}`
  const key = type === 'apiKey' ? `${name} ${credentials.apiKey}` : name
  let shared = sessions.get(key)
  // After another login, the user has other credentials.
  if (shared?.session.state.connection.kind === 'signedOut') shared = undefined
  if (shared === undefined) {
    const client = new ChatClient({
      url,
      credentials,
      storage: tabStorage(`parley-outbox ${name}`),
    })
    const session = new Session(client, url, credentials)
    shared = { session, uses: 0, keep: () => {}, stop: watchActivity(client) }
    sessions.set(key, shared)
    client.open()
  }
  const used = shared
  used.keep()
  used.uses += 1
  let isReleased = false
  const release = (): void => {
    if (isReleased) return
    isReleased = true
    used.uses -= 1
    if (used.uses > 0) return
    used.keep = after(closingMilliseconds, () => {
      if (sessions.get(key) === used) sessions.delete(key)
      used.stop()
      used.session.files.close()
      void used.session.client.close()
    })
  }
  return { session: used.session, release }
}

/** Messages that are not sent survive a reload of their tab; another tab has its own. */
function tabStorage(key: string): OutboxStorage {
  return {
    load: () => keptText(key, 'sessionStorage') ?? null,
    save: (text) => keepText(key, text, 'sessionStorage'),
  }
}

/** Tells others that the user is there. */
function watchActivity(client: ChatClient): () => void {
  const act = (): void => client.active()
  const options = { capture: true, passive: true }
  // A user who opens the page is there.
  if (document.visibilityState === 'visible') act()
  for (const type of ['keydown', 'pointerdown']) window.addEventListener(type, act, options)
  return () => {
    for (const type of ['keydown', 'pointerdown']) window.removeEventListener(type, act, options)
  }
}
